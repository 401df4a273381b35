#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whose the printers of halftone-printer-app are: no command of another user, root's
included, touches them, and a state that cannot be read stops the server. PRINTER_APP is
the program."""

import fcntl
import os
import pathlib
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest

from kit.ipp_client import ABORTED, COMPLETED, KEYWORD, Client
from kit.marked_documents import PCL, own
from kit.server import Application, Listener, any_certificate, until

PROGRAM = os.environ["PRINTER_APP"]
OWNER = "daemon"  # that every system has


class StateTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.app = Application(PROGRAM, folder.name)
        self.state = self.app.folder / "printers.state"
        self.good = self.app.folder / "printers.state.last-good"

    def printers(self):
        return self.app.run("printers").split()

    def refused(self, *options, environment=None, **how):
        """The message of a server that refuses to start, and changes no file."""
        before = self.files()
        done = subprocess.run([PROGRAM, "server", *options], text=True, timeout=60,
                              env=environment or self.app.environment,
                              capture_output=True, **how)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(before, self.files())
        return done.stderr

    def files(self):
        return {path: (path.stat().st_uid, path.read_bytes())
                for path in self.app.folder.glob("printers.*") if path.is_file()}

    def add_two(self):
        self.app.start()
        for name in ("labels", "office"):
            self.app.run("add", "-d", name, "-m", "pcl5e", "-v",
                         "socket://127.0.0.1:1")

    def test_a_missing_group_of_administrators_is_reported_once_per_start(self):
        self.app.options = ["admin-group=nobodies"]
        self.add_two()
        # Then the group is saved, too.
        for options, lines in (["admin-group=nobodies"], 1), ([], 1), (["admin-group=daemon"], 0):
            self.app.end()
            self.app.log.write_text("")
            self.app.options = options
            self.app.start()
            self.assertEqual(len(self.printers()), 2)  # they are loaded
            log = self.app.log_text()
            self.assertEqual(log.count("admin-group: this system has no group nobodies."), lines)
            self.assertEqual(log.count("nobodies"), lines, log)
        self.app.end()

    def test_a_torn_state_stops_the_server_and_the_last_good_one_is_kept(self):
        self.add_two()
        self.app.end()
        self.app.start()  # which keeps what it could read
        self.app.end()
        whole = self.state.read_bytes()
        for torn, why in ((b"", "is empty"), (whole[:-3], "ends within a line"),
                          (whole.replace(b"</Printer>\n", b""), "unterminated printer")):
            self.state.write_bytes(torn)
            said = self.refused()
            self.assertIn(f"{self.state}: ", said)
            self.assertIn(why, said)
            self.assertIn(str(self.good), said)
        shutil.copy(self.good, self.state)
        self.app.start()
        self.assertEqual(self.printers(), ["labels", "office"])
        self.app.end()

    def test_what_is_no_file_or_too_large_is_not_waited_for(self):
        log, ppds = self.app.folder / "pipe", self.app.folder / "ppd"
        os.mkfifo(log)
        self.assertIn(f"{log}: is a pipe", self.refused("-o", f"log-file={log}"))
        os.mkfifo(self.state)
        self.assertIn(f"{self.state}: is not a file", self.refused())
        self.state.unlink()
        self.state.touch()
        os.truncate(self.state, (64 << 20) + 1)
        self.assertIn(f"{self.state}: is larger than 64 MiB", self.refused())
        self.state.unlink()
        ppds.mkdir(exist_ok=True)
        os.mkfifo(ppds / "pipe.ppd")
        self.app.start()
        self.app.end()

    def report(self):
        return subprocess.run([PROGRAM, "report", str(self.app.port)], text=True,
                              env=self.app.environment, capture_output=True,
                              timeout=60).stdout

    def test_printers_that_are_lost_are_reported_and_deleted_ones_are_not(self):
        self.add_two()
        self.app.end()
        self.app.start()
        self.app.end()
        self.state.unlink()
        self.app.start()
        self.assertRegex(self.report(), r"(?m)^wrong\t.* has lost its printers, 2 of "
                         rf"them\t.*{self.good}")
        self.app.end()
        shutil.copy(self.good, self.state)
        self.app.start()
        for name in self.printers():
            self.app.run("delete", "-d", name)
        until(lambda: not self.good.exists())
        self.assertIn("has no printers", self.report())
        self.app.end()

    def test_documents_of_a_state_that_is_removed_are_counted_in_the_log(self):
        self.add_two()
        client = Client(self.app.port)
        for _ in range(2):
            client.print("office", own(1), PCL, options=[
                (KEYWORD, "job-hold-until", "indefinite")])
        self.app.end()
        self.state.unlink()
        self.app.start()
        self.addCleanup(self.app.kill)
        until(lambda: "2 waiting documents are removed: the printers are no longer in "
              "printers.state." in self.app.log_text())
        self.assertEqual(list(self.app.spool.iterdir()), [])
        self.app.end()

    def test_a_server_without_printers_is_idle_since_its_start(self):
        self.app.start()
        self.assertRegex(self.app.run("status"), r"\ARunning, idle since .* 20\d\d ")
        self.app.end()

    def move_to_owner(self):
        """Gives the server's directory to another user. Returns the arguments that start
        processes as that user."""
        self.app.folder.chmod(0o755)
        owner = pwd.getpwnam(OWNER)
        home = self.app.folder / "home"
        home.mkdir()
        os.chown(home, owner.pw_uid, owner.pw_gid)
        self.app.folder, self.app.log = home, home / "log"
        self.state = home / "printers.state"
        self.app.environment |= {"STATE_DIRECTORY": str(home), "TMPDIR": str(home),
                                 "HOME": str(home)}
        del self.app.environment["SNAP_COMMON"]
        return dict(user=OWNER, group=owner.pw_gid, extra_groups=[])

    def test_commands_connect_to_no_server_that_they_name(self):
        uri = "ipp://127.0.0.1:1/ipp/print/office"
        for words in (("printers", "-u", uri), ("options", "-u", uri),
                      ("jobs", "-o", f"Printer-URI={uri}")):
            done = subprocess.run([PROGRAM, *words], text=True, timeout=60,
                                  env=self.app.environment, capture_output=True)
            self.assertEqual(done.returncode, 1, words)
            self.assertIn("connect only to your own server", done.stderr)
        self.assertEqual(list(self.app.folder.rglob("*.sock")), [])

    @unittest.skipIf(os.geteuid() != 0, "is another user")
    def test_nobody_else_reads_the_key_of_tls(self):
        as_owner = self.move_to_owner()
        self.app.start(umask=0, **as_owner)
        self.addCleanup(self.app.kill)
        with socket.create_connection(("localhost", self.app.port)) as plain, \
                any_certificate().wrap_socket(plain) as connection:
            connection.sendall(b"GET / HTTP/1.0\r\nHost: localhost\r\n\r\n")
            self.assertIn(b"200 OK", connection.recv(4096))
        key, = self.app.folder.rglob("*.key")
        self.assertEqual(oct(key.stat().st_mode & 0o777), "0o600")

    @unittest.skipIf(os.geteuid() != 0, "is root and another user")
    def test_no_server_uses_the_folder_of_another_user(self):
        as_owner = self.move_to_owner()
        home = self.app.folder
        self.assertIn("starting your own server", self.said_by(
            as_owner, "add", "-d", "office", "-m", "pcl5e", "-v",
            "socket://127.0.0.1:1"))
        self.assertEqual(self.said_by(as_owner, "printers"), "office\n")
        self.said_by(as_owner, "shutdown")
        with open(home / "lock", "rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # waits until the server has ended
        self.assertIn(b'name="office"', self.state.read_bytes())
        self.assertIn(f"{home}: belongs to {OWNER}", self.refused())
        # A lock that it may not open does not mean that another server runs.
        other = dict(user="bin", group=0, extra_groups=[])
        own = home.with_name("own")
        own.mkdir()
        os.chown(own, pwd.getpwnam("bin").pw_uid, 0)
        self.app.environment["TMPDIR"] = str(own)
        self.assertIn(f"belongs to {OWNER}", self.refused(**other))
        self.app.environment["TMPDIR"] = str(home)
        (home / "lock").chmod(0)
        self.assertIn("lock: Permission denied", self.refused(**as_owner))

    @unittest.skipIf(os.geteuid() != 0, "is another user")
    def test_documents_print_when_the_temporary_directory_was_removed(self):
        as_owner = self.move_to_owner()
        temporary = self.app.folder / "temporary"
        temporary.mkdir(mode=0o700)
        shutil.chown(temporary, OWNER)
        self.app.environment["TMPDIR"] = str(temporary)
        self.app.start(**as_owner)
        self.addCleanup(self.app.kill)
        self.said_by(as_owner, "add", "-d", "office", "-m", "pcl5e", "-v",
                     Listener().uri)
        client = Client(self.app.port)

        def ends_as(state):
            _, job = client.print("office", b"A line.\n", "text/plain")
            until(lambda: client.state("office", job) == state)

        for end in COMPLETED, ABORTED:
            shutil.rmtree(temporary)
            if end == ABORTED:  # another user has created one
                temporary.mkdir(mode=0o777)
            ends_as(end)

    def said_by(self, who, *words):
        done = subprocess.run([PROGRAM, *words], env=self.app.environment, text=True,
                              capture_output=True, timeout=60, **who)
        return done.stdout + done.stderr


@unittest.skipIf(os.geteuid() != 0, "is root")
class RootTest(unittest.TestCase):
    """In a mount namespace with the service's user, and without a service."""

    SCRIPT = r"""
set -eu
mount -t tmpfs tmpfs /run
for folder in /var/lib /var/spool; do mount -t tmpfs tmpfs $folder; done
cp /etc/passwd /etc/group /run
echo 'halftone-printer-app:x:64123:64123::/var/lib/halftone-printer-app:/bin/false' >>/run/passwd
echo 'halftone-printer-app:x:64123:' >>/run/group
for file in passwd group; do mount --bind /run/$file /etc/$file; done
"""

    def shell(self, script, *more):
        environment = {name: value for name, value in os.environ.items()
                       if name not in ("SNAP_COMMON", "STATE_DIRECTORY")}
        environment.setdefault("HALFTONED_LIBEXEC",
                               str(pathlib.Path(PROGRAM).parent / "sheets"))
        done = subprocess.run(
            ["unshare", *more, "--mount", "--pid", "--fork", "--kill-child", "sh", "-c",
             self.SCRIPT + script.replace("APP", PROGRAM)], text=True,
            capture_output=True, env=environment, timeout=100)
        if "unshare" in done.stderr and "permitted" in done.stderr:
            self.skipTest("SKIPPED: namespaces are not allowed here")
        return done

    def test_commands_start_no_server(self):
        done = self.shell("""
code=0; APP printers || code=$?
echo $code; ls -A /var/lib /var/spool; [ ! -e /run/halftone-printer-app.sock ]
APP drivers | grep -c pcl5e; ls -A /var/lib /var/spool""")
        self.assertEqual(done.stdout, "1\n/var/lib:\n\n/var/spool:\n1\n/var/lib:\n\n"
                         "/var/spool:\n", done.stderr)
        self.assertRegex(done.stderr, r"no server is running; to start the service, type: "
                         r"sudo start-stop-daemon .* -- server\n\Z")

    def test_without_the_services_user_no_server_starts(self):
        done = self.shell("""
grep -v ^halftone-printer-app: /run/passwd >/run/others
cat /run/others >/etc/passwd
code=0; timeout 20 APP server -o server-port=0$((20000 + $$ % 10000)) || code=$?
echo $code; ls -A /var/lib /var/spool""")
        self.assertEqual(done.stdout, "1\n/var/lib:\n\n/var/spool:\n", done.stderr)
        self.assertRegex(done.stderr, r"\A.*the user halftone-printer-app, which does "
                         r"not exist; to create it, type: sudo useradd .*\n\Z")

    def test_a_server_becomes_the_services_user(self):
        done = self.shell("""
exec 7</etc/shadow
APP server -o server-port=0$((20000 + $$ % 10000)) 2>&- >/run/log & server=$!
exec 7<&-
tries=0
until [ -e /run/halftone-printer-app/socket ] || [ $((tries += 1)) = 300 ]; do
  kill -0 $server || { cat /run/log; exit 9; }
  sleep 0.1
done
APP add -d office -m pcl5e -v socket://127.0.0.1:1
APP printers
readlink /proc/$server/fd/2; ls -l /proc/$server/fd | grep -c shadow || true
kill $server; wait $server
stat -c '%U %a' /var/lib/halftone-printer-app/printers.state
chown root /var/lib/halftone-printer-app/printers.state
APP server && exit 9
true""", "--mount-proc")
        self.assertEqual((done.returncode, done.stdout),
                         (0, "office\n/dev/null\n0\nhalftone-printer-app 600\n"),
                         done.stderr)
        self.assertIn("printers.state: belongs to root; a server of "
                      "halftone-printer-app does not use it", done.stderr)

    def test_root_s_search_for_devices_is_the_services_user_s(self):
        agent = pathlib.Path(__file__).parent / "kit/snmp_agent.py"
        done = self.shell(r"""
ip link set lo up
printf 'MFG:HP\302\2331m;MDL:"Laser"\342\200\256;CMD:\2335m;' >/run/id
%s %s /run/id >/run/said 2>&1 &
until [ -s /run/said ] || ! kill -0 $!; do sleep 0.1; done
APP device-id socket://127.0.0.1
wait
cat /run/said
""" % (sys.executable, agent), "--net")
        self.assertEqual(done.stdout, "\tsocket://127.0.0.1\tMFG:HP??1m;MDL: Laser "
                         "???;CMD:?5m;\nlistens\n64123\n", done.stderr)

    def test_other_users_reach_the_service_s_printers_at_its_port(self):
        done = self.shell("""
ip link set lo up
echo 'reader:x:64124:64124::/run/home:/bin/false' >>/etc/passwd
install -d -o 64124 -m 700 /run/home
install -D "$HALFTONE_ADOPT" /run/libexec/halftoned/halftone-adopt
install -D "$HALFTONE" /run/bin/halftone
install -D APP /run/bin/halftone-printer-app
chmod 755 /run
as_user() {
  user=$1; shift
  setpriv --reuid $user --regid $user --clear-groups env HOME=/run/home \\
    CUPS_SERVER=/run/no-cups HALFTONED_LIBEXEC=/run/libexec/halftoned "$@"
}
as_reader() { as_user 64124 "$@"; }
APP server -o user-jobs=2 >/run/log 2>&1 & server=$!
tries=0
until [ -e /run/halftone-printer-app/socket ] || [ $((tries += 1)) = 300 ]; do
  kill -0 $server || { cat /run/log; exit 9; }
  sleep 0.1
done
APP add -d office -m pcl5e -v socket://127.0.0.1:1
as_reader /run/bin/halftone show office | grep -c .
as_reader /run/bin/halftone test-page office
as_reader /run/bin/halftone calibrate print office
as_reader /run/bin/halftone test-page office || echo $?
APP jobs -d office | grep -c reader
kill $server; wait $server
echo "import signal, socket; port = socket.create_server(('127.0.0.1', 8631))
print('listens', flush=True); accepted = port.accept(); signal.pause()" >/run/other.py
as_user 64125 /usr/bin/python3 -u /run/other.py >/run/said 2>&1 &
until [ -s /run/said ] || ! kill -0 $!; do sleep 0.1; done
code=0; as_reader /run/bin/halftone-printer-app attributes office || code=$?
echo $code
find /run/home -name '*.sock'  # of a server that a command has started
""", "--net", "--mount-proc")
        lines = done.stdout.splitlines()
        self.assertEqual(len(lines), 6, done.stdout + done.stderr)
        self.assertGreater(int(lines[0]), 10)
        self.assertEqual(lines[1], "office: prints a page, job 1")
        self.assertRegex(lines[2], r"\Aoffice: prints a calibration chart, job 2; ")
        self.assertEqual(lines[3:], ["1", "2", "1"])
        self.assertRegex(done.stderr, r"\Ahalftone: office: halftone-printer-app: the "
                         r"server does not print the job: .*\nhalftone-printer-app: no "
                         r"server is running\n\Z")


if __name__ == "__main__":
    unittest.main()
