"""A small receiver of notifications. README.md says how to run it."""

import json
import os
import sys
import threading
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from sns import Untrusted, Verifier, json_object, text_in

TOPIC_ARN = os.environ["TOPIC_ARN"]
API_URL_B2B = os.environ["API_URL_B2B"].rstrip("/")
API_KEY = os.environ["API_KEY"]
FORM = os.environ.get("FORM", "raw")
MAX_AGE_SECONDS = os.environ.get("MAX_AGE_SECONDS")
MAXIMUM_BYTES = 64 * 1024

if FORM not in ("raw", "enveloped"):
    sys.exit("FORM must be raw or enveloped, as the operator subscribed your endpoint.")

verifier = Verifier(
    TOPIC_ARN,
    sns_host=os.environ.get("SNS_HOST"),
    max_age_seconds=None if MAX_AGE_SECONDS is None else float(MAX_AGE_SECONDS),
)


def say(text):
    print(text, flush=True)


def read_user(application_user_sub):
    request = urllib.request.Request(
        f"{API_URL_B2B}/user-data/read",
        data=json.dumps({"application_user_sub": application_user_sub}).encode(),
        headers={"x-api-key": API_KEY, "content-type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            say(f"{application_user_sub} is now {response.read().decode()}")
    except urllib.error.HTTPError as error:
        # A real receiver reads the user again later, unless the status is 404.
        say(
            f"{application_user_sub} no longer exists"
            if error.code == 404
            else f"{application_user_sub} could not be read: {error}"
        )
    except OSError as error:
        say(f"{application_user_sub} could not be read: {error}")


def notified(notification):
    operation = notification.get("operation_type")
    if operation == "event_update":
        # Not signed in the raw form: read the event, or the list, before you rely on it.
        say(f"Event {notification.get('event_id', 'list')}: {notification.get('change')}")
        return
    if operation != "data_update":
        # Also accepts operations that it does not know: a refused message would become a dead letter.
        say(f"Received a {operation}")
        return
    # SNS waits at most 15 seconds for the answer, so the user is read after it.
    sub = text_in(notification, "application_user_sub")
    threading.Thread(target=read_user, args=(sub,)).start()


def received(headers, body):
    # Headers are not signed. In the enveloped form, only the body counts.
    if FORM == "raw" and headers.get("x-amz-sns-message-type") == "Notification":
        if headers.get("x-amz-sns-rawdelivery") != "true":
            raise Untrusted("Enveloped, where raw was agreed upon")
        if headers.get("x-amz-sns-topic-arn") != TOPIC_ARN:
            raise Untrusted("A message of another topic")
        # Not signed: it is only a hint to read the user again.
        notified(json_object(body))
        return
    message = verifier.verify(body)
    if message["Type"] == "SubscriptionConfirmation":
        verifier.confirm(message)
        say(f"Subscribed to {TOPIC_ARN}")
    elif message["Type"] == "UnsubscribeConfirmation":
        say(f"No longer subscribed to {TOPIC_ARN}")
    elif FORM == "raw":
        raise Untrusted("Enveloped, where raw was agreed upon")
    else:
        notified(json_object(message["Message"]))


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        try:
            length = int(self.headers.get("content-length") or 0)
            if not 0 <= length <= MAXIMUM_BYTES:
                raise Untrusted("The body is too large")
            received(self.headers, self.rfile.read(length))
            status = 200
        except Untrusted as error:
            say(f"Not accepted: {error}")
            status = 403
        except Exception as error:  # After a 500, SNS sends the message again.
            say(f"Failed: {error!r}")
            status = 500
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        """Without the default log, which has each request's path: the path can be secret."""


if __name__ == "__main__":
    address = (os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "8080")))
    server = ThreadingHTTPServer(address, Receiver)
    say(f"Waiting for notifications on port {server.server_port}")
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
