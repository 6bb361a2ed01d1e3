"""Tests of the receiver. Run them in this folder: `python -m unittest`."""

import contextlib
import http.client
import io
import json
import socket
import threading
import time
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from unittest import mock

import receiver
import sns
from receiver import ChangedUsers, Handler, Notifications, Server
from sns import Untrusted, Verifier

TOPIC = "arn:aws:sns:eu-west-1:123456789012:changes"
HOSTILE = f"x\n\x1b[2J\x9b1mSubscribed to {TOPIC}\u202e\u2028"


def started(server):
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


class Api(BaseHTTPRequestHandler):
    """The API that answers reads of users. `asked` has the users of each call."""

    asked = []
    is_well = True

    def do_POST(self):
        subs = json.loads(self.rfile.read(int(self.headers["content-length"])))["application_user_subs"]
        self.asked.append(subs)
        entries = [{"application_user_sub": sub, "user_data": {"says": HOSTILE}} for sub in subs]
        body = json.dumps(entries).encode()
        self.send_response(200 if self.is_well else 503)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class ReceiverTest(unittest.TestCase):
    def setUp(self):
        self.said = io.StringIO()
        self.enterContext(contextlib.redirect_stdout(self.said))
        self.enterContext(mock.patch.object(ChangedUsers, "GATHER_SECONDS", 0.1))
        self.enterContext(mock.patch.object(ChangedUsers, "RETRY_SECONDS", 0.1))

        class OwnApi(Api):
            asked = []

        self.api = OwnApi
        api = started(ThreadingHTTPServer(("127.0.0.1", 0), OwnApi))
        self.addCleanup(api.server_close)
        self.addCleanup(api.shutdown)
        self.users = ChangedUsers(f"http://127.0.0.1:{api.server_port}", "key")

    def serve(self, form="raw"):
        class Receiver(Handler):
            notifications = Notifications(TOPIC, form, Verifier(TOPIC), self.users)

        server = started(Server(("127.0.0.1", 0), Receiver))
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return server.server_port

    def post(self, port, body, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        raw = {
            "x-amz-sns-message-type": "Notification",
            "x-amz-sns-topic-arn": TOPIC,
            "x-amz-sns-rawdelivery": "true",
        }
        text = body if isinstance(body, (bytes, str)) else json.dumps(body)
        connection.request("POST", "/", text, {**raw, **(headers or {})})
        status = connection.getresponse().status
        connection.close()
        return status

    def until(self, condition):
        end = time.monotonic() + 60
        while not condition():
            self.assertLess(time.monotonic(), end, "It did not happen")
            time.sleep(0.01)

    def test_a_message_is_read_whatever_its_content_type_is(self):
        port = self.serve()
        for number, kind in enumerate(["text/plain; charset=UTF-8", "application/json", "image/png"]):
            notification = {"operation_type": "data_update", "application_user_sub": f"user-{number}"}
            self.assertEqual(self.post(port, notification, {"content-type": kind}), 200)
        self.until(lambda: {sub for subs in self.api.asked for sub in subs} == {"user-0", "user-1", "user-2"})

    def test_a_thousand_forged_messages_start_no_thread_each_and_cause_few_reads(self):
        port = self.serve()
        before = threading.active_count()
        for number in range(1_000):
            notification = {"operation_type": "data_update", "application_user_sub": f"user-{number}"}
            self.assertEqual(self.post(port, notification), 200)
            self.assertLess(threading.active_count(), before + 20)
        self.until(lambda: sum(len(subs) for subs in self.api.asked) == 1_000)
        self.assertTrue(all(len(subs) <= 100 for subs in self.api.asked))

    def test_a_user_who_waits_to_be_read_waits_once(self):
        self.api.is_well = False
        for _ in range(1_000):
            self.users.changed("user")
        self.assertLessEqual(len(self.users.pending), 1)
        self.until(lambda: len(self.api.asked) >= 2)
        self.assertEqual({tuple(subs) for subs in self.api.asked}, {("user",)})
        self.api.is_well = True
        self.until(lambda: "user is now" in self.said.getvalue())

    def test_no_more_users_wait_than_there_is_place_for_and_sns_is_asked_to_send_again(self):
        port = self.serve()
        with mock.patch.object(ChangedUsers, "MOST_PENDING", 0):
            status = self.post(port, {"operation_type": "data_update", "application_user_sub": "user"})
        self.assertEqual(status, 503)

    def test_an_identifier_that_no_user_has_is_never_requested(self):
        port = self.serve()
        for sub in [HOSTILE, "a b", "x" * 129, "é"]:
            notification = {"operation_type": "data_update", "application_user_sub": sub}
            self.assertEqual(self.post(port, notification), 403)
        self.assertEqual(self.api.asked, [])

    def test_nothing_that_a_stranger_sends_forges_a_line_or_commands_the_terminal(self):
        port = self.serve()
        for notification in [
            {"operation_type": HOSTILE},
            {"operation_type": "event_update", "change": HOSTILE, "event_id": HOSTILE},
            {"operation_type": "data_update", "application_user_sub": "user"},
        ]:
            self.assertEqual(self.post(port, notification), 200)
        self.until(lambda: "user is now" in self.said.getvalue())
        envelope = {"Type": HOSTILE, "SignatureVersion": "2", "TopicArn": TOPIC, "Message": HOSTILE}
        self.assertEqual(self.post(port, envelope, {"x-amz-sns-message-type": HOSTILE[:1]}), 403)
        self.assertEqual(self.post(port, "[" * 60_000), 403)
        lines = self.said.getvalue().split("\n")[:-1]
        self.assertEqual(len(lines), 5)
        for line in lines:
            self.assertTrue(line.isprintable(), line)
            self.assertFalse(line.startswith("Subscribed"))

    def test_a_body_that_is_too_large_or_of_no_length_is_refused(self):
        port = self.serve()
        self.assertEqual(self.post(port, "x" * 100_000), 403)
        for length in ["-1", "1_0", "x", "9" * 30]:
            self.assertEqual(self.post(port, b"", {"content-length": length}), 403)

    def test_a_stranger_who_sends_slowly_is_cut_off(self):
        with mock.patch.object(receiver, "REQUEST_SECONDS", 0.2):
            port = self.serve()
            with socket.create_connection(("127.0.0.1", port), timeout=60) as slow:
                slow.sendall(b"POST / HTTP/1.1\r\nx: ")
                self.assertEqual(slow.recv(1_000), b"")

    def test_connections_beyond_the_places_are_closed_and_others_go_on_afterwards(self):
        with mock.patch.object(receiver, "MOST_REQUESTS", 2):
            port = self.serve()
            held = [socket.create_connection(("127.0.0.1", port), timeout=60) for _ in range(2)]
            for each in held:
                each.sendall(b"POST / HTTP/1.1\r\n")
            with socket.create_connection(("127.0.0.1", port), timeout=60) as beyond:
                self.assertEqual(beyond.recv(1_000), b"")
            for each in held:
                each.close()
            notification = {"operation_type": "seat_moved"}

            def answered():
                try:
                    return self.post(port, notification) == 200
                except OSError:
                    return False

            self.until(answered)

    def test_invented_certificates_are_fetched_one_at_a_time_and_only_so_many_wait(self):
        port = self.serve("enveloped")
        under_way = []
        most = []
        gate = threading.Event()

        def get(url):
            under_way.append(url)
            most.append(len(under_way))
            gate.wait(60)
            under_way.remove(url)
            raise sns.urllib.error.HTTPError(url, 404, "none", None, None)

        statuses = []

        def forge(number):
            message = {
                **{name: "x" for name in sns.NOTIFICATION if name != "Subject"},
                "Type": "Notification",
                "TopicArn": TOPIC,
                "SignatureVersion": "2",
                "Signature": "AAAA",
                "SigningCertURL": f"https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-{number:032x}.pem",
            }
            statuses.append(self.post(port, message))

        with mock.patch.object(sns, "get", get), mock.patch.object(sns, "PAUSE_SECONDS", 0):
            threads = [threading.Thread(target=forge, args=(number,)) for number in range(30)]
            for each in threads:
                each.start()
            # Those for whom there is no place are told to come again.
            self.until(lambda: len(statuses) == 30 - sns.MOST_WAITING)
            gate.set()
            for each in threads:
                each.join(60)
        self.assertEqual(max(most), 1)
        self.assertEqual(sorted(statuses), [403] * sns.MOST_WAITING + [500] * (30 - sns.MOST_WAITING))


if __name__ == "__main__":
    unittest.main()
