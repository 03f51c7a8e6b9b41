"""Pays at the stub of Tap with a published client of PyPI, in two steps, and prints what it read as JSON."""

import json
import sys

from tappayment.client import Client
from tappayment.errors import ServerError

origin, key, step, *given = sys.argv[1:]
client = Client(api_token=key)
client.base_url = origin + "/v2"
payer = {"first_name": "Noura", "phone": {"country_code": "965", "number": "51234567"}}


def order(amount, reference):
    urls = {name: {"url": "https://shop.example/"} for name in ("redirect", "post")}
    source = {"id": "src_all"}
    transaction = {"transaction": reference, "order": reference}
    return {"amount": amount, "currency": "KWD", "customer": payer, "source": source, "reference": transaction, **urls}


def open_pages():
    charge = client.payment.charge(order(10.25, "PYTHON-TAP"))
    held = client.payment.authorize(order(5, "PYTHON-TAP-HELD"))
    released = client.payment.authorize(order(4, "PYTHON-TAP-VOID"))
    try:
        client.payment.charge(order(10.2555, "PYTHON-TAP-ODD"))
        odd = None
    except ServerError as error:
        odd = type(error).__name__
    pages = [charge, held, released]
    return {
        "ids": [page["id"] for page in pages],
        "statuses": [page["status"] for page in pages],
        "has_pages": all(page["transaction"]["url"].startswith(origin) for page in pages),
        "odd": odd,
    }


def after_paying(charge_id, held_id, released_id):
    charge = client.payment.get_charge_status(charge_id)
    held = client.payment.get_authorize_status(held_id)
    part = {**order(2.5, "PYTHON-TAP-C"), "customer": {"id": held["customer"]["id"]}, "source": {"id": held_id}}
    capture = client.payment.authorize_capture(part)
    released = client.payment.authorize_void({"authorize_id": released_id})
    asked = {"charge_id": charge_id, "amount": 4, "currency": "KWD", "reason": "returned"}
    refund = client.payment.refund({**asked, "reference": {"merchant": "PYTHON-TAP-R"}, "metadata": {}})
    return {
        "charge": [charge["status"], charge["amount"], charge["reference"]["transaction"]],
        "held": held["status"],
        "capture": [capture["status"], capture["amount"]],
        "released": released["status"],
        "refund": client.payment.get_refund_status(refund["id"])["status"],
    }


print(json.dumps(open_pages() if step == "open" else after_paying(*given)))
