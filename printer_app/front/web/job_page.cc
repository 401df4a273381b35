// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/web/job_page.h"

#include <cups/ipp.h>

#include "printer_app/front/web/forms.h"

namespace halftoned {
namespace {

constexpr const char* kWithheld = "Withheld";

std::string Row(const JobOfPrinter& job, bool is_own, const std::string& action,
                const std::string& token) {
  const std::string id = std::to_string(job.id);
  std::string row = "<tr><td>" + id + "</td><td>" +
                    HtmlOf(is_own ? job.name : kWithheld) + "</td><td>" +
                    HtmlOf(is_own ? job.owner : kWithheld) + "</td><td>" +
                    HtmlOf(ippEnumString("job-state", job.state)) + "</td><td>";
  if (is_own && job.state < IPP_JSTATE_CANCELED) {
    row += "<form action=\"" + action +
           "\" method=\"POST\"><input type=\"hidden\" name=\"session\" "
           "value=\"" +
           token +
           "\"><input type=\"hidden\" name=\"action\" value=\"cancel-job\">"
           "<input type=\"hidden\" name=\"job-id\" value=\"" +
           id + "\"><input type=\"submit\" value=\"Cancel Job\"></form>";
  }
  return row + "</td></tr>\n";
}

}  // namespace

std::string JobPage(const std::string& printer,
                    const std::vector<JobOfPrinter>& jobs, const Caller& caller,
                    const std::string& said, const std::string& token) {
  const std::string name = HtmlOf(printer);
  std::string page =
      "<!DOCTYPE html>\n<html><head><title>" + name +
      "</title><meta http-equiv=\"Content-Type\" content=\"text/html; "
      "charset=utf-8\"><link rel=\"stylesheet\" href=\"/style.css\"></head>\n"
      "<body><div class=\"content\"><h1 class=\"title\">" +
      name + ": Jobs</h1>\n";
  if (!said.empty()) {
    page += "<div class=\"banner\">" + HtmlOf(said) + "</div>\n";
  }
  if (jobs.empty()) return page + "<p>No jobs.</p></div></body></html>\n";
  page +=
      "<table class=\"list\"><thead><tr><th>Job #</th><th>Name</th>"
      "<th>Owner</th><th>Status</th><th></th></tr></thead><tbody>\n";
  for (const JobOfPrinter& job : jobs) {
    page += Row(job, MayTouch(caller, caller.name, job.owner),
                "/" + name + "/jobs", token);
  }
  page += "</tbody></table>";
  if (jobs.size() >= kMostJobsOfPage) {
    page += "<p>More jobs may exist; they are not listed here.</p>";
  }
  return page + "</div></body></html>\n";
}

}  // namespace halftoned
