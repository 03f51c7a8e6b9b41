"""Verifies a webhook of Till. Needs Python 3.9 or later and no package."""
import base64
import hashlib
import hmac
import json
import re
import time

# How many seconds webhook-timestamp may be away from now.
TOLERANCE = 300
SIGNED = """amount currency_code customer_address_city customer_address_country customer_address_line1
customer_address_line2 customer_address_postal_code customer_address_state customer_email customer_first_name
customer_last_name customer_phone gateway_account gateway_name order_no reference_number result state""".split()


def verify_headers(headers, body, secrets, now=None):
    """Whether the headers prove that the bytes come from Till, and were signed within five minutes of now.

    headers: names in lower case. body: the bytes as they came. secrets: each whsec_…, two while one is exchanged.
    """
    identity, moment = headers.get("webhook-id"), headers.get("webhook-timestamp")
    signatures = headers.get("webhook-signature")
    now = time.time() if now is None else now
    if not identity or not signatures or not re.fullmatch("[0-9]{1,15}", moment or ""):
        return False
    if abs(now - int(moment)) > TOLERANCE:
        return False
    signed = f"{identity}.{moment}.".encode() + body

    def expected(secret):
        key = base64.b64decode(secret[len("whsec_"):])
        return b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())

    right = [expected(secret) for secret in secrets]
    return any(hmac.compare_digest(given.encode(), one) for given in signatures.split(" ") for one in right)


def verify_field(body, hmac_key):
    """Whether the field signature of a body is right. It covers 18 fields, neither the other fields nor the time."""
    try:
        fields = json.loads(body.decode("utf-8"))
    except (UnicodeDecodeError, ValueError):
        return False
    if not isinstance(fields, dict) or not isinstance(fields.get("signature"), str):
        return False
    names = [name for name in SIGNED if fields.get(name) not in (None, "")]
    if any(not isinstance(fields[name], str) for name in names):
        return False
    text = "".join(name + fields[name] for name in names)
    right = hmac.new(hmac_key.encode(), text.encode(), hashlib.sha256).hexdigest()
    return hmac.compare_digest(fields["signature"].encode(), right.encode())
