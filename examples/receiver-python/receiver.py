"""A small receiver of notifications. README.md says how to run it."""

import json
import os
import re
import socket
import sys
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from sns import Untrusted, Verifier, json_object, text_in

MAXIMUM_BYTES = 64 * 1024
# SNS waits no longer for an answer.
REQUEST_SECONDS = 15
# Requests beyond these are closed at once. SNS then sends the message again.
MOST_REQUESTS = 64
LONGEST_LINE = 2000


class Busy(Exception):
    """Too much waits to be done: respond with 503, so that SNS sends the message again."""


def printable(text):
    """A line for a log or a terminal.

    Anyone can send a message, so a text could hold a line feed and a forged line after it, or a command for the
    terminal: characters that cannot be seen are written as numbers.
    """
    shown = text if len(text) <= LONGEST_LINE else text[:LONGEST_LINE] + "…"
    return "".join(each if each.isprintable() else f"\\u{{{ord(each):x}}}" for each in shown)


def say(text):
    print(printable(text), flush=True)


class ChangedUsers:
    """Reads users again after they have changed, up to 100 with one call, and one call at a time.

    However many messages arrive, there is one thread. A raw message is not signed, so a forged one can at most add one
    user to a call.
    """

    USERS_AT_ONCE = 100
    MOST_PENDING = 10_000
    GATHER_SECONDS = 1
    RETRY_SECONDS = 5
    # A text that is no identifier would make the service refuse the read of all users in the call.
    IDENTIFIER = re.compile(r"[A-Za-z0-9_-]{1,128}")

    def __init__(self, api_url, api_key):
        self.api_url = api_url
        self.api_key = api_key
        self.pending = {}
        self.condition = threading.Condition()
        threading.Thread(target=self.work, daemon=True).start()

    def changed(self, application_user_sub):
        """Raises Busy when too many users wait to be read, and Untrusted for a text that is no identifier."""
        if not self.IDENTIFIER.fullmatch(application_user_sub):
            raise Untrusted("application_user_sub is no identifier")
        with self.condition:
            if len(self.pending) >= self.MOST_PENDING and application_user_sub not in self.pending:
                raise Busy(f"{self.MOST_PENDING} users wait to be read")
            self.pending[application_user_sub] = True
            self.condition.notify()

    def work(self):
        while True:
            with self.condition:
                self.condition.wait_for(lambda: self.pending)
            time.sleep(self.GATHER_SECONDS)
            with self.condition:
                batch = list(self.pending)[: self.USERS_AT_ONCE]
                for each in batch:
                    del self.pending[each]
            try:
                unread = self.read(batch)
            except Exception as error:
                say(f"{len(batch)} users could not be read: {error}")
                unread = batch
            with self.condition:
                self.pending.update({each: True for each in unread})
            if len(unread) == len(batch):
                time.sleep(self.RETRY_SECONDS)

    def read(self, batch):
        """Reads these users, and returns those who did not fit into the answer."""
        request = urllib.request.Request(
            f"{self.api_url}/user-data/read/batch",
            data=json.dumps({"application_user_subs": batch}).encode(),
            headers={"x-api-key": self.api_key, "content-type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as response:
            entries = json.loads(response.read())
        unread = []
        for entry in entries:
            sub = entry.pop("application_user_sub")
            error = entry.get("error_fields")
            if error == "READ_AGAIN":
                unread.append(sub)
            elif error is not None:
                say(f"{sub} no longer exists")
            else:
                say(f"{sub} is now {json.dumps(entry, ensure_ascii=False)}")
        return unread


class Notifications:
    """Judges the body of each request, and acts on it."""

    def __init__(self, topic_arn, form, verifier, users):
        self.topic_arn = topic_arn
        self.form = form
        self.verifier = verifier
        self.users = users

    def received(self, headers, body):
        # Headers are not signed. In the enveloped form, only the body counts. Its Content-Type never counts: SNS sends
        # its first message as text/plain.
        if self.form == "raw" and headers.get("x-amz-sns-message-type") == "Notification":
            if headers.get("x-amz-sns-rawdelivery") != "true":
                raise Untrusted("Enveloped, where raw was agreed upon")
            if headers.get("x-amz-sns-topic-arn") != self.topic_arn:
                raise Untrusted("A message of another topic")
            # Not signed: it is only a hint to read again.
            self.notified(json_object(body))
            return
        message = self.verifier.verify(body)
        if message["Type"] == "SubscriptionConfirmation":
            self.verifier.confirm(message)
            say(f"Subscribed to {self.topic_arn}")
        elif message["Type"] == "UnsubscribeConfirmation":
            say(f"No longer subscribed to {self.topic_arn}")
        elif self.form == "raw":
            raise Untrusted("Enveloped, where raw was agreed upon")
        else:
            self.notified(json_object(message["Message"]))

    def notified(self, notification):
        operation = text_in(notification, "operation_type")
        if operation == "data_update":
            # SNS waits at most 15 seconds for the answer, so the user is read after it.
            self.users.changed(text_in(notification, "application_user_sub"))
        elif operation == "event_update":
            change = text_in(notification, "change")
            say(f"To be read again: event {notification.get('event_id', 'list')}, said to be {change}")
        else:
            # Also accepts operations that it does not know: a refused message would become a dead letter.
            say(f"Received a {operation}")


class Handler(BaseHTTPRequestHandler):
    """Answers POSTs. `notifications` is set in a subclass."""

    notifications = None

    def do_POST(self):
        try:
            self.notifications.received(self.headers, self.body())
            status = 200
        except Untrusted as error:
            say(f"Not accepted: {error}")
            status = 403
        except Busy as error:
            say(f"Not accepted yet: {error}")
            status = 503
        except Exception as error:  # After a 500, SNS sends the message again.
            say(f"Failed: {error!r}")
            status = 500
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def body(self):
        length = self.headers.get("content-length") or ""
        if not re.fullmatch(r"[0-9]{1,9}", length) or int(length) > MAXIMUM_BYTES:
            raise Untrusted("The body is too large, or does not say how large it is")
        return self.rfile.read(int(length))

    def log_message(self, *_):
        """Without the default log, which has each request's path: the path can be secret."""


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address, handler):
        super().__init__(address, handler)
        self.places = threading.BoundedSemaphore(MOST_REQUESTS)

    def process_request(self, request, client_address):
        if not self.places.acquire(blocking=False):
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except BaseException:
            self.places.release()
            raise

    def process_request_thread(self, request, client_address):
        # However slowly a stranger sends, its thread ends.
        end = threading.Timer(REQUEST_SECONDS, self.cut, (request,))
        end.daemon = True
        try:
            end.start()
            super().process_request_thread(request, client_address)
        finally:
            end.cancel()
            self.places.release()

    def cut(self, request):
        try:
            request.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def handle_error(self, request, client_address):
        """Without the default trace: the sender has closed the connection, or was cut off."""


def main():
    environment = os.environ
    form = environment.get("FORM", "raw")
    if form not in ("raw", "enveloped"):
        sys.exit("FORM must be raw or enveloped, as the operator subscribed your endpoint.")
    topic_arn = environment["TOPIC_ARN"]
    max_age_seconds = environment.get("MAX_AGE_SECONDS")
    verifier = Verifier(
        topic_arn,
        sns_host=environment.get("SNS_HOST"),
        max_age_seconds=None if max_age_seconds is None else float(max_age_seconds),
    )
    users = ChangedUsers(environment["API_URL_B2B"].rstrip("/"), environment["API_KEY"])

    class Receiver(Handler):
        notifications = Notifications(topic_arn, form, verifier, users)

    address = (environment.get("HOST", "127.0.0.1"), int(environment.get("PORT", "8080")))
    server = Server(address, Receiver)
    say(f"Waiting for notifications on port {server.server_port}")
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
