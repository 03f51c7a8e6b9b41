"""Pays at the stub of Checkout.com with the official client of PyPI, and prints what it read as JSON."""

import json
import sys
import warnings

from checkout_sdk.checkout_sdk import CheckoutSdk
from checkout_sdk.common.common import Address
from checkout_sdk.common.enums import Country, Currency
from checkout_sdk.environment import Environment
from checkout_sdk.exception import CheckoutApiException
from checkout_sdk.payments.hosted.hosted_payments import HostedPaymentsSessionRequest
from checkout_sdk.payments.payments import (
    CaptureRequest,
    PaymentRequest,
    PaymentRequestTokenSource,
    PaymentsQueryFilter,
    RefundRequest,
)
from checkout_sdk.payments.payments_previous import BillingInformation
from checkout_sdk.tokens.tokens import GooglePayTokenData, GooglePayTokenRequest

warnings.simplefilter("ignore")
origin, secret_key, public_key = sys.argv[1:]
base = origin + "/"
environment = Environment(base, base, base, base, base, base, base, True)
builder = CheckoutSdk.builder().secret_key(secret_key).public_key(public_key)
api = builder.environment(environment).use_legacy_domain().build()


def filled(request, **members):
    for name, value in members.items():
        setattr(request, name, value)
    return request


def authorized(amount, reference):
    data = filled(GooglePayTokenData(), signature="s", protocolVersion="ECv1", signedMessage="m")
    token = api.tokens.request_wallet_token(filled(GooglePayTokenRequest(), token_data=data)).token
    source = filled(PaymentRequestTokenSource(), token=token)
    order = dict(source=source, amount=amount, currency=Currency.KWD, reference=reference, capture=False)
    return api.payments.request_payment(filled(PaymentRequest(), **order))


address = filled(Address(), country=Country.KW)
urls = {name: "https://shop.example/" for name in ("success_url", "failure_url", "cancel_url")}
page = filled(
    HostedPaymentsSessionRequest(),
    amount=10_250,
    currency=Currency.KWD,
    reference="PYTHON-PAGE",
    billing=filled(BillingInformation(), address=address),
    **urls,
)
page = api.hosted_payments.get_hosted_payments_page_details(api.hosted_payments.create_hosted_payments_page_session(page).id)

held = authorized(10_250, "PYTHON-HELD")
capture = filled(CaptureRequest(), amount=4_000, capture_type="NonFinal", reference="PYTHON-C")
api.payments.capture_payment(held.id, capture)
api.payments.refund_payment(held.id, filled(RefundRequest(), amount=1_000, reference="PYTHON-R"))
details = api.payments.get_payment_details(held.id)
actions = api.payments.get_payment_actions(held.id).items
try:
    authorized(10_255, "PYTHON-ODD")
    odd = None
except CheckoutApiException as error:
    odd = [error.error_type, error.error_details]

print(json.dumps({
    "page": page.status,
    "held": held.status,
    "actions": [[action.type, action.amount] for action in actions],
    "status": details.status,
    "listed": api.payments.get_payments_list(filled(PaymentsQueryFilter(), reference="PYTHON-HELD")).total_count,
    "odd": odd,
}))
