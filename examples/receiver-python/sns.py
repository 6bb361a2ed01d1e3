"""Verifies messages of Amazon SNS, as the customer guide describes under "Verifying a signature"."""

import base64
import datetime
import json
import re
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding

NOTIFICATION = ("Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type")
CONFIRMATION = ("Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type")
SIGNED_FIELDS = {
    "Notification": NOTIFICATION,
    "SubscriptionConfirmation": CONFIRMATION,
    "UnsubscribeConfirmation": CONFIRMATION,
}
TIMEOUT_SECONDS = 10
# SNS answers with a few kilobytes.
MOST_BYTES = 64 * 1024
# How many messages can wait for a certificate, and the pause after a fetch that found none. Both limit how often
# strangers can make this program call SNS.
MOST_WAITING = 16
PAUSE_SECONDS = 0.25


class Untrusted(Exception):
    """The message is not from SNS, or not meant for this receiver: respond with 403."""


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


OPENER = urllib.request.build_opener(NoRedirect)


def get(url):
    """Requests an HTTPS URL that was checked before. Raises an error unless the status is 200."""
    with OPENER.open(url, timeout=TIMEOUT_SECONDS) as response:
        return response.read(MOST_BYTES)


def json_object(body):
    try:
        message = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Untrusted("The body is not JSON") from error
    if not isinstance(message, dict):
        raise Untrusted("The body is not a JSON object")
    return message


def text_in(message, name):
    value = message.get(name)
    if not isinstance(value, str) or value == "":
        raise Untrusted(f"A message without {name}")
    return value


def signed_text(message):
    fields = SIGNED_FIELDS.get(text_in(message, "Type"))
    if fields is None:
        raise Untrusted("A message of another type")
    lines = []
    for name in fields:
        if name == "Subject" and message.get(name) is None:
            continue
        value = text_in(message, name)
        if name != "Message" and re.search(r"[\r\n]", value):
            raise Untrusted(f"{name} has a line break")
        lines += [name, value]
    return "".join(f"{line}\n" for line in lines).encode()


class Verifier:
    def __init__(self, topic_arn, sns_host=None, max_age_seconds=None):
        """Without `sns_host`, it is SNS's host in the topic's region. Set it only for a local system."""
        partition, region = topic_arn.split(":")[1], topic_arn.split(":")[3]
        suffix = ".cn" if partition == "aws-cn" else ""
        self.topic_arn = topic_arn
        self.host = sns_host or f"sns.{region}.amazonaws.com{suffix}"
        self.max_age_seconds = max_age_seconds
        self.certificates = {}
        self.waiting = threading.BoundedSemaphore(MOST_WAITING)
        self.fetching = threading.Lock()

    def verify(self, body):
        """Returns the message in the body of a request. Raises Untrusted unless SNS has signed it for this topic."""
        message = json_object(body)
        if text_in(message, "SignatureVersion") != "2":
            raise Untrusted("Another SignatureVersion than 2")
        if text_in(message, "TopicArn") != self.topic_arn:
            raise Untrusted("A message of another topic")
        text = signed_text(message)
        try:
            signature = base64.b64decode(text_in(message, "Signature"), validate=True)
        except ValueError as error:
            raise Untrusted("The signature is not Base64") from error
        certificate = self.certificate_at(text_in(message, "SigningCertURL"))
        try:
            certificate.public_key().verify(signature, text, padding.PKCS1v15(), hashes.SHA256())
        except InvalidSignature as error:
            raise Untrusted("The signature is not that of SNS") from error
        self.check_age(message["Timestamp"])
        return message

    def confirm(self, message):
        """Requests the SubscribeURL of a verified message."""
        url = self.parsed(text_in(message, "SubscribeURL"))
        query = urllib.parse.parse_qs(url.query)
        if (
            url.path != "/"
            or query.get("Action") != ["ConfirmSubscription"]
            or query.get("TopicArn") != [self.topic_arn]
        ):
            raise Untrusted("SubscribeURL does not confirm a subscription of this topic")
        get(url.geturl())

    def parsed(self, text):
        """The parsed URL. The exact host also excludes a user and another port."""
        url = urllib.parse.urlsplit(text)
        if url.scheme != "https" or url.netloc != self.host or url.fragment != "":
            raise Untrusted(f"Not an https URL of {self.host}")
        return url

    def certificate_at(self, text):
        url = self.parsed(text)
        if url.query != "" or not re.fullmatch(r"/SimpleNotificationService-[0-9a-f]{32}\.pem", url.path):
            raise Untrusted("SigningCertURL is not the address of a certificate")
        address = url.geturl()
        certificate = self.certificates.get(address) or self.fetched(address)
        now = datetime.datetime.now(datetime.timezone.utc)
        if not certificate.not_valid_before_utc <= now <= certificate.not_valid_after_utc:
            raise Untrusted("The certificate is not valid at this time")
        return certificate

    def fetched(self, address):
        """Certificates are fetched one at a time. Raises OSError if too many wait, so that SNS sends the message again."""
        if not self.waiting.acquire(blocking=False):
            raise OSError("Too many certificates are asked for")
        try:
            with self.fetching:
                if address not in self.certificates:
                    try:
                        self.certificates[address] = x509.load_pem_x509_certificate(get(address))
                    except BaseException:
                        time.sleep(PAUSE_SECONDS)
                        raise
                return self.certificates[address]
        except urllib.error.HTTPError as error:
            if 400 <= error.code < 500 and error.code != 429:
                raise Untrusted("There is no such certificate") from error
            raise
        finally:
            self.waiting.release()

    def check_age(self, timestamp):
        if self.max_age_seconds is None:
            return
        signed_at = datetime.datetime.fromisoformat(timestamp.replace("Z", "+00:00"))
        age = datetime.datetime.now(datetime.timezone.utc) - signed_at
        if age.total_seconds() > self.max_age_seconds:
            raise Untrusted(f"Signed at {timestamp}, which is too long ago")
