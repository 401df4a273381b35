// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libusb with one printer, for a program that is loaded with this. The printer
// is the named pipe USB_PIPE; it takes what fits into the pipe, and then it
// is gone, or waits for room if USB_WAITS is set. Another program holds it
// while the file USB_HELD exists; the file is removed if somebody else asks.

#include <fcntl.h>
#include <libusb.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <iterator>

struct libusb_device {};
struct libusb_device_handle {};

namespace {

constexpr char kId[] = "MFG:Acme;MDL:Laser;SN:7;";

libusb_device the_device;
libusb_device_handle the_handle;
libusb_device* the_devices[] = {&the_device, nullptr};

libusb_endpoint_descriptor EndpointToPrinter() {
  libusb_endpoint_descriptor endpoint = {};
  endpoint.bEndpointAddress = LIBUSB_ENDPOINT_OUT | 1;
  endpoint.bmAttributes = LIBUSB_TRANSFER_TYPE_BULK;
  return endpoint;
}

libusb_interface_descriptor Setting() {
  static const libusb_endpoint_descriptor endpoint = EndpointToPrinter();
  libusb_interface_descriptor setting = {};
  setting.bNumEndpoints = 1;
  setting.bInterfaceClass = LIBUSB_CLASS_PRINTER;
  setting.bInterfaceSubClass = 1;
  setting.bInterfaceProtocol = 1;
  setting.endpoint = &endpoint;
  return setting;
}

libusb_config_descriptor Configuration() {
  static const libusb_interface_descriptor setting = Setting();
  static const libusb_interface interface = {&setting, 1};
  libusb_config_descriptor configuration = {};
  configuration.bNumInterfaces = 1;
  configuration.bConfigurationValue = 1;
  configuration.interface = &interface;
  return configuration;
}

}  // namespace

extern "C" {

int libusb_init(libusb_context** /*context*/) { return 0; }

ssize_t libusb_get_device_list(libusb_context* /*context*/,
                               libusb_device*** list) {
  *list = the_devices;
  return 1;
}

void libusb_free_device_list(libusb_device** /*list*/, int /*unrefs*/) {}

int libusb_get_device_descriptor(libusb_device* /*device*/,
                                 libusb_device_descriptor* descriptor) {
  *descriptor = {};
  descriptor->idVendor = descriptor->idProduct = 1;
  descriptor->bNumConfigurations = 1;
  return 0;
}

int libusb_get_config_descriptor(libusb_device* /*device*/, uint8_t /*index*/,
                                 libusb_config_descriptor** config) {
  static libusb_config_descriptor configuration = Configuration();
  *config = &configuration;
  return 0;
}

void libusb_free_config_descriptor(libusb_config_descriptor* /*descriptor*/) {}

int libusb_open(libusb_device* /*device*/, libusb_device_handle** handle) {
  *handle = &the_handle;
  return 0;
}

void libusb_close(libusb_device_handle* /*handle*/) {}

libusb_device* libusb_ref_device(libusb_device* device) { return device; }

void libusb_unref_device(libusb_device* /*device*/) {}

int libusb_kernel_driver_active(libusb_device_handle* /*handle*/,
                                int /*interface*/) {
  return 0;
}

int libusb_set_configuration(libusb_device_handle* /*handle*/,
                             int /*configuration*/) {
  return 0;
}

int libusb_claim_interface(libusb_device_handle* /*handle*/,
                           int /*interface*/) {
  const char* held = std::getenv("USB_HELD");
  return held && unlink(held) == 0 ? LIBUSB_ERROR_BUSY : 0;
}

int libusb_get_string_descriptor_ascii(libusb_device_handle* /*handle*/,
                                       uint8_t /*index*/,
                                       unsigned char* /*text*/, int /*size*/) {
  return LIBUSB_ERROR_NOT_SUPPORTED;
}

// Asks for the configuration, or for the device ID.
int libusb_control_transfer(libusb_device_handle* /*handle*/, uint8_t /*type*/,
                            uint8_t bRequest, uint16_t /*value*/,
                            uint16_t /*index*/, unsigned char* data,
                            uint16_t /*size*/, unsigned /*timeout*/) {
  if (bRequest == LIBUSB_REQUEST_GET_CONFIGURATION) {
    data[0] = 1;
    return 1;
  }
  constexpr int kSize = 2 + static_cast<int>(std::size(kId)) - 1;
  data[0] = 0;
  data[1] = kSize;
  std::memcpy(data + 2, kId, kSize - 2);
  return kSize;
}

int libusb_bulk_transfer(libusb_device_handle* /*handle*/,
                         unsigned char /*endpoint*/, unsigned char* data,
                         int length, int* actual_length, unsigned /*timeout*/) {
  static const int waiting = std::getenv("USB_WAITS") ? 0 : O_NONBLOCK;
  static const int printer =
      open(std::getenv("USB_PIPE"), O_WRONLY | O_CLOEXEC | waiting);
  *actual_length = 0;
  const ssize_t count = write(printer, data, static_cast<size_t>(length));
  if (count < 0) return LIBUSB_ERROR_NO_DEVICE;
  *actual_length = static_cast<int>(count);
  return 0;
}

}  // extern "C"
