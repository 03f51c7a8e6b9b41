"""Pays at the stub of Tamara with a published client of PyPI, in two steps, and prints what it read as JSON."""

import json
import sys

from django.conf import settings

origin, key, step, *given = sys.argv[1:]
settings.configure(TAMARA_API_TOKEN=key, TAMARA_API_URLS=origin)

from tamara.client import TamaraClient  # noqa: E402
from tamara.exceptions import TamaraException  # noqa: E402

client = TamaraClient()


def price(amount):
    return {"amount": amount, "currency": "SAR"}


def order(reference):
    address = {"first_name": "Noura", "last_name": "Al-Sabah", "line1": "Street 7", "city": "Riyadh"}
    address = {**address, "country_code": "SA", "phone_number": "500000001"}
    consumer = {"first_name": "Noura", "last_name": "Al-Sabah", "phone_number": "500000001", "email": "noura@example.com"}
    item = {"reference_id": "1", "type": "Physical", "name": "Lamp", "sku": "L-1", "quantity": 2}
    return {
        "total_amount": price(250),
        "shipping_amount": price(0),
        "tax_amount": price(0),
        "order_reference_id": reference,
        "order_number": reference,
        "items": [{**item, "unit_price": price(125), "total_amount": price(250)}],
        "consumer": consumer,
        "country_code": "SA",
        "description": "Two lamps",
        "payment_type": "PAY_BY_INSTALMENTS",
        "instalments": 3,
        "merchant_url": {name: "https://shop.example/" for name in ("success", "failure", "cancel", "notification")},
        "shipping_address": address,
    }


def open_sessions():
    opened = [client.create_checkout(order(reference)) for reference in ("PYTHON-TAMARA", "PYTHON-TAMARA-VOID")]
    try:
        client.create_checkout({**order("PYTHON-ODD"), "total_amount": price(249)})
        odd = None
    except TamaraException:
        odd = "refused"
    return {
        "ids": [one["order_id"] for one in opened],
        "statuses": [one["status"] for one in opened],
        "types": [kind["name"] for kind in client.get_payment_types()],
        "odd": odd,
    }


def after_paying(order_id, released_id):
    paid = client.get_order_by_reference_id("PYTHON-TAMARA")
    authorised = client.authorise_order(order_id)
    shipping = {"shipped_at": "2026-11-27T00:00:00Z", "shipping_company": "Van"}
    captured = client.capture_order(order_id, {"total_amount": price(100), "shipping_info": shipping})
    refunded = client.refund_order(order_id, 40, comment="returned")
    client.authorise_order(released_id)
    released = client.cancel_order(released_id, {"total_amount": price(250)})
    return {
        "paid": [paid["status"], paid["order_id"] == order_id, paid["total_amount"]],
        "steps": [authorised["status"], captured["status"], refunded["status"], released["status"]],
        "left": client.get_order(order_id)["refunded_amount"],
    }


print(json.dumps(open_sessions() if step == "open" else after_paying(*given)))
