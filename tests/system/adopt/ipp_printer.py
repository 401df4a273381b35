# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""IPP printers that are not there: ippeveprinter, and what it is to say of itself."""

import os
import socket
import subprocess

from private_cups import wait_until

BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration
 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path={}</listen>
<auth>EXTERNAL</auth><policy context="default">
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
<allow own="*"/></policy></busconfig>
"""
A4, A5 = (21000, 29700), (14800, 21000)


def size(width, length):
    kind = "rangeOfInteger" if "-" in str(width) else "integer"
    return (f"MEMBER {kind} x-dimension {width}\n"
            f"MEMBER {kind} y-dimension {length}\n")


def media(paper, side, end):
    return ("{\nMEMBER collection media-size {\n" + size(*paper) + "}\n" +
            "".join(f"MEMBER integer media-{edge}-margin {margin}\n"
                    for edge, margin in (("left", side), ("right", side),
                                         ("top", end), ("bottom", end))) + "}")


def attributes(**changed):
    """What a printer says of itself, in ippeveprinter's language."""
    said = {
        "printer-make-and-model": ("textWithoutLanguage", '"Acme Laser 5"'),
        "media-supported": ("keyword", "iso_a4_210x297mm,iso_a5_148x210mm"),
        "media-default": ("keyword", "iso_a5_148x210mm"),
        "media-size-supported": ("collection", ",".join(
            "{\n" + size(*paper) + "}" for paper in
            (A4, A5, ("7600-21600", "12700-35600")))),
        "media-col-database": ("collection", ",".join(
            (media(A4, 0, 0), media(A4, 423, 423), media(A5, 500, 600)))),
        "media-col-default": ("collection", media(A5, 500, 600)),
        "media-source-supported": ("keyword", "auto,tray-1,tray-2,odd_One"),
        "media-type-supported": ("keyword", "stationery,labels"),
        "sides-supported": (
            "keyword", "one-sided,two-sided-long-edge,two-sided-short-edge"),
        "sides-default": ("keyword", "two-sided-long-edge"),
        "pwg-raster-document-type-supported": ("keyword", "sgray_8,black_1"),
        "pwg-raster-document-sheet-back": ("keyword", "rotated"),
        "pwg-raster-document-resolution-supported": ("resolution",
                                                     "300dpi,600dpi"),
        "printer-resolution-supported": ("resolution", "300dpi,600dpi"),
        "printer-resolution-default": ("resolution", "300dpi"),
        "document-format-supported": (
            "mimeMediaType", "application/octet-stream,image/pwg-raster"),
        "copies-supported": ("rangeOfInteger", "1-99"),
        "print-quality-supported": ("enum", "4,5"),
        "urf-supported": ("keyword", ""),
        "print-color-mode-supported": ("keyword", "monochrome"),
        "finishings-supported": ("enum", "3"),
        "job-creation-attributes-supported": (
            "keyword", "copies,finishings,media,media-col,print-quality,sides"),
        "media-col-supported": (
            "keyword", "media-bottom-margin,media-left-margin,"
            "media-right-margin,media-size,media-source,media-top-margin,"
            "media-type"),
    }
    for name, value in changed.items():
        name = name.replace("_", "-")
        said[name] = (said[name][0], value)
    return "".join(f"ATTR {kind} {name} {value}\n"
                   for name, (kind, value) in said.items() if value)


class Printer:
    def __init__(self, folder, port, bus, said, formats, command=None):
        self.spool = folder / f"spool-{port}"
        self.spool.mkdir()
        path = folder / f"{port}.conf"
        path.write_text(said)
        self.uri = f"ipp://localhost:{port}/ipp/print"
        self.log = open(folder / f"{port}.log", "wb")
        words = ["-f", formats] if not said else ["-a", path]
        # With a command, it does not pretend to print for 5 to 15 s.
        words += ["-c", command or "/bin/true"]
        keys = folder / "keys"
        keys.mkdir(exist_ok=True)
        self.process = subprocess.Popen(
            ["ippeveprinter", "-k", "-K", keys, *words, "-d", self.spool,
             "-p", str(port), "-n", "localhost", "-r", "off",
             f"Printer {port}"],
            env=dict(os.environ, DBUS_SYSTEM_BUS_ADDRESS=bus),
            stdout=self.log, stderr=subprocess.STDOUT)
        wait_until(lambda: self.answers(port), "the printer answers")

    def kept(self):
        """Documents, without what its command said of them."""
        return {path for path in self.spool.iterdir() if path.suffix != ".prn"}

    def answers(self, port):
        if self.process.poll() is not None:
            raise RuntimeError("ippeveprinter ended")
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    def stop(self):
        self.process.terminate()
        self.process.wait(60)
        self.log.close()
