# Every operation of the API by curl, in an order in which they can be run one after the other. `#@` begins a block, with the statuses
# of its calls. tests/worker/curl.test.mjs runs all of it, and fails for an operation that has no call here.

# Before you begin
#@
BASE=$(node -p "require('./.dev/demo.json').base_url")
KEY=$(node -p "require('./.dev/demo.json').private_key")
TOKEN=$(node -p "require('./.dev/demo.json').operator_token")
MERCHANT=$(node -p "require('./.dev/demo.json').merchant_id")
API="$BASE/b/checkout/v1"
PBL="$BASE/b/pbl/v2"
SDK="$BASE/b/checkout/api/sdk/v1"
JSON='Content-Type: application/json'
field() { node -p "'$2'.split('.').reduce((value, name) => value[name], JSON.parse(require('fs').readFileSync('.dev/$1.json')))"; }

# Payment transactions
#@ 201
curl -sS "$API/pymt-txn/" -H "Authorization: Api-Key $KEY" -H "$JSON" -H 'Idempotency-Key: api-1' -o .dev/created.json -d '{
  "type": "e_commerce", "amount": "10.250", "currency_code": "KWD", "pg_codes": ["knet", "credit-card"], "order_no": "API-1",
  "customer_id": "customer-1", "include_sdk_setup_preload": true, "generate_qr_code": true, "shortify_checkout_url": true,
  "webhook_url": "'"$BASE"'/sandbox/inbox/api/", "redirect_url": "'"$BASE"'/sandbox/shop/"
}'

#@ 200
SESSION=$(field created session_id)
curl -sS "$API/pymt-txn/$SESSION/" -H "Authorization: Api-Key $KEY" -D .dev/headers.txt -o .dev/retrieved.json

#@ 304
curl -sS "$API/pymt-txn/$SESSION/" -H "Authorization: Api-Key $KEY" -H "If-None-Match: $(sed -n 's/^etag: \(.*\)\r$/\1/Ip' .dev/headers.txt)"

#@ 200
ETAG=$(sed -n 's/^etag: \(.*\)\r$/\1/Ip' .dev/headers.txt)
curl -sS -X PATCH "$API/pymt-txn/$SESSION/" -H "Authorization: Api-Key $KEY" -H "$JSON" -H "If-Match: $ETAG" -d '{"amount": "12.500"}'

#@ 200 400
curl -sS -X PATCH "$API/pymt-txn/$SESSION/" -H "Authorization: Api-Key $KEY" -H "$JSON" -d '{"customer_id": "", "redirect_url": ""}'
curl -sS -X PATCH "$API/pymt-txn/$SESSION/" -H "Authorization: Api-Key $KEY" -H "$JSON" -d '{"amount": ""}'

#@ 200
curl -sS -X PATCH "$API/pymt-txn/$SESSION/" -H "Authorization: Api-Key $KEY" -d 'pg_codes[]=knet' -d 'pg_codes[]=credit-card' \
  -d 'billing_address[country]=KW' -d 'billing_address[city]=Salmiya' -d 'billing_address[line1]=Street 1' -d 'notifications.email=paid' \
  -d 'customer_email=noura@example.com'

#@ 200
curl -sS -X PUT "$API/pymt-txn/$SESSION/" -H "Authorization: Api-Key $KEY" -H "$JSON" -d '{
  "type": "e_commerce", "amount": "12.500", "currency_code": "KWD", "pg_codes": ["knet"], "order_no": "API-1",
  "webhook_url": "'"$BASE"'/sandbox/inbox/api/", "redirect_url": "'"$BASE"'/sandbox/shop/"
}'

#@ 200
curl -sS "$API/pymt-txn/$SESSION/routing/" -H "Authorization: Api-Key $KEY"

#@ 200
curl -sS "$API/pymt-txn/$SESSION/events/" -H "Authorization: Api-Key $KEY"

#@ 200
curl -sS "$API/pymt-txn/?limit=5&state=created,pending&order_no=API-1" -H "Authorization: Api-Key $KEY"

#@ 200
curl -sS "$API/totals/?from=2026-11-01&to=2026-11-30" -H "Authorization: Api-Key $KEY"

#@ 200
curl -sS "$API/pymt-txn/export/?state=created,pending&order_no=API-1&created_from=2026-01-01" -H "Authorization: Api-Key $KEY"

# Attachments and short addresses
#@ 200 200
printf 'Two chairs' > .dev/invoice.txt
curl -sS "$API/upload-attachment/" -H "Authorization: Api-Key $KEY" -o .dev/file.json \
  -F file=@.dev/invoice.txt -F session_id="$SESSION" -F shortify_attachment_url=true
curl -sS "$BASE/media/$(field file file_url)"

#@ 302 200
curl -sS "$(field created checkout_short_url)"
curl -sS "$(field created qr_code_url)" -o .dev/code.png

# Payment methods
#@ 200
curl -sS "$PBL/payment-methods/" -H "Authorization: Api-Key $KEY" -H "$JSON" -d '{"plugin": "e_commerce", "currencies": ["KWD"]}'

# The page's side
#@ 200 200
curl -sS "$SDK/pymt-txn/submit/$SESSION/"
curl -sS "$SDK/concur-payer-view/$SESSION/"

#@ 200 200 200
curl -sS "$SDK/pre-payment-option-check/$SESSION/" -H "$JSON" -d '{"pg_code": "knet"}'
curl -sS "$SDK/submit/$SESSION/" -H "$JSON" -d '{"pg_code": "knet"}' -o .dev/submitted.json
curl -sS -L "$(field submitted redirect_url)" -d action=pay -d card=visa-approve -o .dev/shop.html

#@ 201 200
curl -sS "$API/pymt-txn/" -H "Authorization: Api-Key $KEY" -H "$JSON" -o .dev/other.json \
  -d '{"type": "e_commerce", "amount": "1.000", "currency_code": "KWD", "pg_codes": ["knet"], "order_no": "API-2"}'
curl -sS "$SDK/cancel/$(field other session_id)/" -H "$JSON" -d '{"operation": "cancel"}'

# Native payments
#@ 201 200
curl -sS "$API/pymt-txn/" -H "Authorization: Api-Key $KEY" -H "$JSON" -o .dev/native.json \
  -d '{"type": "e_commerce", "amount": "3.000", "currency_code": "KWD", "pg_codes": ["credit-card"]}'
curl -sS "$PBL/payment/apple-pay/" -H "Authorization: Api-Key $KEY" -H "$JSON" -H 'Idempotency-Key: api-wallet-1' \
  -d '{"session_id": "'"$(field native session_id)"'", "payload": {"paymentData":{"version":"EC_v1","data":"visa-approve"},"transactionIdentifier":"6ff67beb3ecae30f6a90eba08bc60f14f1e19f7dab40f1c2aa094982e22156c5"}}'

#@ 201 200
curl -sS "$API/pymt-txn/" -H "Authorization: Api-Key $KEY" -H "$JSON" -o .dev/native.json \
  -d '{"type": "e_commerce", "amount": "3.000", "currency_code": "KWD", "pg_codes": ["credit-card"]}'
curl -sS "$PBL/payment/google-pay/" -H "Authorization: Api-Key $KEY" -H "$JSON" \
  -d '{"session_id": "'"$(field native session_id)"'", "payload": {"apiVersion":2,"apiVersionMinor":0,"paymentMethodData":{"type":"CARD","tokenizationData":{"type":"PAYMENT_GATEWAY","token":"{\"signature\":\"4473f50b38aaa2c1be6a367b89c2aa4b5d29b8b21d331f0a5988fd1fbb1ec2d8\",\"signedMessage\":\"visa-approve\"}"}}}}'

#@ 201
curl -sS "$API/pymt-txn/" -H "Authorization: Api-Key $KEY" -H "$JSON" -H 'Idempotency-Key: api-one-step-1' -d '{
  "type": "e_commerce", "amount": "3.000", "currency_code": "KWD", "pg_codes": ["credit-card"], "payment_instrument": {"instrument_type": "apple_pay",
  "payload": {"paymentData":{"version":"EC_v1","data":"visa-approve"},"transactionIdentifier":"6ff67beb3ecae30f6a90eba08bc60f14f1e19f7dab40f1c2aa094982e22156c5"}}
}'

#@ 201 200 200 201 400
curl -sS "$API/pymt-txn/" -H "Authorization: Api-Key $KEY" -H "$JSON" -o .dev/native.json \
  -d '{"type": "e_commerce", "amount": "3.000", "currency_code": "KWD", "pg_codes": ["credit-card"]}'
curl -sS "$SDK/apay/validate-session/" -H "$JSON" -d '{"session_id": "'"$(field native session_id)"'", "code": "credit-card", "amount": "3.060"}'
curl -sS "$SDK/apay/pay/" -H "$JSON" -d '{"session_id": "'"$(field native session_id)"'", "code": "credit-card", "amount": "3.060",
  "apple_pay_payload": {"paymentData":{"version":"EC_v1","data":"visa-approve"},"transactionIdentifier":"6ff67beb3ecae30f6a90eba08bc60f14f1e19f7dab40f1c2aa094982e22156c5"}}'
curl -sS "$API/pymt-txn/" -H "Authorization: Api-Key $KEY" -H "$JSON" -o .dev/native.json \
  -d '{"type": "e_commerce", "amount": "3.000", "currency_code": "KWD", "pg_codes": ["credit-card"]}'
curl -sS "$SDK/gpay/pay/" -H "$JSON" -d '{"session_id": "'"$(field native session_id)"'", "code": "credit-card", "google_pay_payload": {"paymentMethodData": {"type": "CARD"}}}'

#@ 201 200 400
curl -sS "$API/pymt-txn/" -H "Authorization: Api-Key $KEY" -H "$JSON" -o .dev/native.json \
  -d '{"type": "e_commerce", "amount": "3.000", "currency_code": "KWD", "pg_codes": ["cash"]}'
curl -sS "$PBL/payment/cash/" -H "Authorization: Api-Key $KEY" -H "$JSON" -d '{"session_id": "'"$(field native session_id)"'"}'
curl -sS "$PBL/cash-payment/" -H "Authorization: Api-Key $KEY" -H "$JSON" -d '{"session_id": "'"$(field native session_id)"'"}'

# Saved cards and auto debit
#@ 201 200 200 200
curl -sS "$API/pymt-txn/" -H "Authorization: Api-Key $KEY" -H "$JSON" -o .dev/saving.json -d '{
  "type": "e_commerce", "amount": "0", "currency_code": "KWD", "pg_codes": ["credit-card"], "payment_type": "save_card",
  "customer_id": "customer-9", "webhook_url": "'"$BASE"'/sandbox/inbox/api/"
}'
curl -sS "$SDK/submit/$(field saving session_id)/" -H "$JSON" -d '{"pg_code": "credit-card"}' -o .dev/submitted.json
curl -sS -L "$(field submitted redirect_url)" -d action=pay -d card=visa-approve -o .dev/page.html
curl -sS "$PBL/card/" -H "Authorization: Api-Key $KEY" -H "$JSON" -d '{"type": "sandbox", "customer_id": "customer-9"}' -o .dev/cards.json

#@ 201 200 201 200
curl -sS "$API/pymt-txn/" -H "Authorization: Api-Key $KEY" -H "$JSON" -o .dev/debit.json \
  -d '{"type": "e_commerce", "amount": "4.000", "currency_code": "KWD", "pg_codes": ["credit-card"], "customer_id": "customer-9"}'
curl -sS "$PBL/payment/auto-debit/" -H "Authorization: Api-Key $KEY" -H "$JSON" \
  -d '{"session_id": "'"$(field debit session_id)"'", "token": "'"$(field cards 0.token)"'"}'
curl -sS "$API/pymt-txn/" -H "Authorization: Api-Key $KEY" -H "$JSON" -o .dev/debit.json \
  -d '{"type": "e_commerce", "amount": "4.000", "currency_code": "KWD", "pg_codes": ["credit-card"], "customer_id": "customer-9"}'
curl -sS "$PBL/auto-debit/" -H "Authorization: Api-Key $KEY" -H "$JSON" \
  -d '{"session_id": "'"$(field debit session_id)"'", "token": "'"$(field cards 0.token)"'"}'

#@ 201 200
curl -sS "$API/pymt-txn/" -H "Authorization: Api-Key $KEY" -H "$JSON" -o .dev/debit.json \
  -d '{"type": "e_commerce", "amount": "4.000", "currency_code": "KWD", "pg_codes": ["credit-card"], "customer_id": "customer-9"}'
curl -sS "$SDK/submit-token/" -H "$JSON" -d '{"session_id": "'"$(field debit session_id)"'", "token": "'"$(field cards 0.token)"'"}'

#@ 200 404
curl -sS "$API/agreements/" -H "Authorization: Api-Key $KEY" -H "$JSON" -d '{"type": "sandbox", "customer_id": "customer-9"}'
curl -sS "$API/agreements/resume/" -H "Authorization: Api-Key $KEY" -H "$JSON" \
  -d '{"type": "sandbox", "customer_id": "customer-9", "agreement_id": "RENT-1"}'

#@ 204 404
curl -sS -X DELETE "$PBL/card/$(field cards 0.token)/?customer_id=customer-9&type=sandbox" -H "Authorization: Api-Key $KEY"
curl -sS -X DELETE "$SDK/card/$(field debit session_id)/$(field cards 0.token)/"

# Operations on payments
#@ 200 200 200
curl -sS "$PBL/operation/" -H "Authorization: Api-Key $KEY" -H "$JSON" -H 'Tracking-Key: api-refund-1' \
  -d '{"operation": "refund", "session_id": "'"$SESSION"'", "amount": "2.500"}'
curl -sS "$PBL/operation/" -H "Authorization: Api-Key $KEY" -H "$JSON" -H 'Idempotency-Key: api-refund-1' \
  -d '{"operation": "refund", "session_id": "'"$SESSION"'", "amount": "2.500"}'
curl -sS "$PBL/operation/" -H "Authorization: Api-Key $KEY" -H "$JSON" -d '{"operation": "refund", "session_id": "'"$SESSION"'"}'

#@ 200 200
curl -sS "$API/pymt-txn/$SESSION/operations/" -H "Authorization: Api-Key $KEY" -o .dev/operations.json
curl -sS "$API/pymt-txn/$SESSION/operations/$(field operations results.0.reference_number)/" -H "Authorization: Api-Key $KEY"

#@ 200 200 404 403 403 404
curl -sS "$API/pymt-txn/$SESSION/notify/" -H "Authorization: Api-Key $KEY" -H "$JSON" -d '{"webhook_url": "'"$BASE"'/sandbox/inbox/api-other/"}'
curl -sS "$API/approvals/?state=asked" -H "Authorization: Api-Key $KEY"
curl -sS "$API/approvals/7H3K9M2P4Q5R/" -H "Authorization: Api-Key $KEY"
curl -sS "$API/approvals/7H3K9M2P4Q5R/approve/" -H "Authorization: Api-Key $KEY" -H "$JSON" -d '{}'
curl -sS "$API/approvals/7H3K9M2P4Q5R/reject/" -H "Authorization: Api-Key $KEY" -H "$JSON" -d '{"note": "the box was empty"}'
curl -sS -X POST "$API/approvals/7H3K9M2P4Q5R/withdraw/" -H "Authorization: Api-Key $KEY"

#@ 200 404
curl -sS "$API/attention/?state=open" -H "Authorization: Api-Key $KEY"
curl -sS "$API/attention/7H3K9M2P4Q5R.second_success/resolve/" -H "Authorization: Api-Key $KEY" -H "$JSON" -d '{"note": "given back"}'

#@ 400
curl -sS "$PBL/operation/" -H "Authorization: Api-Key $KEY" -H "$JSON" -d '{"operation": "refund", "session_id": "'"$SESSION"'"}'

#@ 201 200 201 200 200
curl -sS "$API/pymt-txn/" -H "Authorization: Api-Key $KEY" -H "$JSON" \
  -d '{"type": "e_commerce", "amount": "1.000", "currency_code": "KWD", "pg_codes": ["knet"], "order_no": "API-3"}'
curl -sS "$PBL/operation/" -H "Authorization: Api-Key $KEY" -H "$JSON" -d '{"operation": "cancel", "order_no": "API-3"}'
curl -sS "$API/pymt-txn/" -H "Authorization: Api-Key $KEY" -H "$JSON" \
  -d '{"type": "e_commerce", "amount": "1.000", "currency_code": "KWD", "pg_codes": ["knet"], "order_no": "API-4"}'
curl -sS "$PBL/operation/" -H "Authorization: Api-Key $KEY" -H "$JSON" -d '{"operation": "expire", "order_no": "API-4"}'
curl -sS "$PBL/operation/" -H "Authorization: Api-Key $KEY" -H "$JSON" -d '{"operation": "delete", "session_id": "'"$(field other session_id)"'"}'

# Inquiry
#@ 200 201 400
curl -sS "$PBL/inquiry/" -H "Authorization: Api-Key $KEY" -H "$JSON" -d '{"session_id": "'"$SESSION"'"}'
curl -sS "$API/pymt-txn/" -H "Authorization: Api-Key $KEY" -H "$JSON" \
  -d '{"type": "e_commerce", "amount": "1.000", "currency_code": "KWD", "pg_codes": ["knet"], "order_no": "API-INQUIRY"}'
curl -sS "$PBL/inquiry/" -H "Authorization: Api-Key $KEY" -H "$JSON" -d '{"order_no": "API-INQUIRY"}'

# Messages to payers
#@ 201 200 200
curl -sS "$API/pymt-txn/" -H "Authorization: Api-Key $KEY" -H "$JSON" \
  -d '{"type": "payment_request", "amount": "1.000", "currency_code": "KWD", "pg_codes": ["knet"], "order_no": "API-MESSAGE", "customer_email": "sara@example.com", "notifications": {"email": ["created", "paid"]}}'
curl -sS "$PBL/message-notification/" -H "Authorization: Api-Key $KEY" -H "$JSON" -d '{"order_no": "API-MESSAGE", "channels": ["email"]}'
curl -sS "$BASE/b/access/v1/messages/?order_no=API-MESSAGE&channel=email" -H "Authorization: Api-Key $KEY"

# Receipts
#@ 201 200 200 200 200
curl -sS "$API/pymt-txn/" -H "Authorization: Api-Key $KEY" -H "$JSON" -o .dev/cash.json \
  -d '{"type": "e_commerce", "amount": "1.000", "currency_code": "KWD", "pg_codes": ["cash"], "order_no": "API-6"}'
curl -sS "$SDK/submit/$(field cash session_id)/" -H "$JSON" -d '{"pg_code": "cash"}'
curl -sS "$BASE/b/checkout/receipt/$(field cash session_id)/" -o .dev/receipt.jws
curl -sS "$BASE/b/checkout/receipt/$(field cash session_id)/code.svg" -o .dev/receipt.svg
curl -sS "$BASE/.well-known/jwks.json"

# Users and keys of a merchant
#@ 200 201 200 200 201
curl -sS "$BASE/b/access/v1/roles/" -H "Authorization: Api-Key $KEY"
curl -sS "$BASE/b/access/v1/users/" -H "Authorization: Api-Key $KEY" -H "$JSON" -o .dev/clerk.json \
  -d '{"username": "noura@shop", "password": "correct horse battery", "first_name": "Noura", "permissions": ["Can add e-commerce payments", "Can use knet"]}'
curl -sS "$BASE/b/access/v1/users/" -H "Authorization: Api-Key $KEY"
curl -sS "$BASE/b/access/v1/users/$(field clerk id)/" -H "Authorization: Api-Key $KEY"
curl -sS "$API/pymt-txn/" -u "noura@shop:correct horse battery" -H "$JSON" \
  -d '{"type": "e_commerce", "amount": "1.000", "currency_code": "KWD", "pg_codes": ["knet"]}'

#@ 400 204
curl -sS -X POST "$BASE/b/access/v1/users/$(field clerk id)/invite/" -H "Authorization: Api-Key $KEY"
curl -sS -X POST "$BASE/b/access/v1/users/$(field clerk id)/reset-factor/" -H "Authorization: Api-Key $KEY"

#@ 200
curl -sS -X PATCH "$BASE/b/access/v1/users/$(field clerk id)/" -H "Authorization: Api-Key $KEY" -H "$JSON" -d '{"is_active": false}'

#@ 201 200 201 200
curl -sS "$BASE/b/access/v1/users/" -H "Authorization: Api-Key $KEY" -H "$JSON" -o .dev/till.json \
  -d '{"username": "till@my-shop", "password": "another long password", "permissions": ["Can add e-commerce payments", "Can use knet"]}'
curl -sS "$BASE/b/auth/v1/token/" -d grant_type=password -d username=till@my-shop --data-urlencode 'password=another long password' -o .dev/token.json
curl -sS "$API/pymt-txn/" -H "Authorization: Bearer $(field token access_token)" -H "$JSON" \
  -d '{"type": "e_commerce", "amount": "1.000", "currency_code": "KWD", "pg_codes": ["knet"]}'
curl -sS "$BASE/b/auth/v1/token/" -u "${KEY%.*}:${KEY#*.}" -d grant_type=client_credentials

#@ 201 200 204
curl -sS "$BASE/b/access/v1/keys/" -H "Authorization: Api-Key $KEY" -H "$JSON" -o .dev/desk.json \
  -d '{"kind": "private", "name": "Refund desk", "permissions": ["payment.refund"]}'
curl -sS "$BASE/b/access/v1/keys/" -H "Authorization: Api-Key $KEY"
curl -sS -X DELETE "$BASE/b/access/v1/keys/$(field desk prefix)/" -H "Authorization: Api-Key $KEY"

#@ 200 200
curl -sS "$BASE/b/access/v1/webhook-addresses/" -H "Authorization: Api-Key $KEY"
curl -sS -X PATCH "$BASE/b/access/v1/webhook-addresses/" -H "Authorization: Api-Key $KEY" -H "$JSON" -d '{"operations": "https://shop.example.com/operations"}'

#@ 200 404 404
curl -sS "$BASE/b/access/v1/deliveries/?state=given_up&since=2026-01-01T00:00:00Z" -H "Authorization: Api-Key $KEY"
curl -sS "$BASE/b/access/v1/deliveries/evt_00a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3_7/" -H "Authorization: Api-Key $KEY"
curl -sS "$BASE/b/access/v1/resend/" -H "Authorization: Api-Key $KEY" -H "$JSON" -d '{"delivery_id": "evt_00a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3_7"}'

#@ 200 404 200
curl -sS "$BASE/b/access/v1/receivers/" -H "Authorization: Api-Key $KEY"
curl -sS "$BASE/b/access/v1/receivers/enable/" -H "Authorization: Api-Key $KEY" -H "$JSON" -d '{"address": "https://shop.example.com"}'
curl -sS "$BASE/b/access/v1/test-webhooks/" -H "Authorization: Api-Key $KEY" -H "$JSON" -d '{"address": "'"$BASE"'/sandbox/inbox/test/", "kind": "payment_webhook"}'

#@ 201 200 200 200 200 200 200 204
base64 -d > .dev/logo.png <<< 'iVBORw0KGgoAAAANSUhEUgAAAAkAAAADCAYAAABBCiV2AAAAF0lEQVR4AWPkzvP/z0AAMDEQAZgYiAAAwTUBzYsQG5oAAAAASUVORK5CYII='
curl -sS "$BASE/b/access/v1/images/" -H "Authorization: Api-Key $KEY" -H 'Content-Type: image/png' -o .dev/logo.json --data-binary @.dev/logo.png
curl -sS "$BASE/b/access/v1/images/" -H "Authorization: Api-Key $KEY"
curl -sS "$BASE/b/checkout/images/$(field logo name)"
curl -sS "$BASE/b/access/v1/brand/" -H "Authorization: Api-Key $KEY"
curl -sS -X PUT "$BASE/b/access/v1/brand/" -H "Authorization: Api-Key $KEY" -H "$JSON" -d '{"logo": "'"$(field logo name)"'", "accent": "#7a1fa2", "support": {"whatsapp": "+96550001122"}}'
curl -sS "$BASE/b/access/v1/brand/preview/?state=paid&language=ar" -H "Authorization: Api-Key $KEY"
curl -sS -X PUT "$BASE/b/access/v1/brand/" -H "Authorization: Api-Key $KEY" -H "$JSON" -d '{}'
curl -sS -X DELETE "$BASE/b/access/v1/images/$(field logo name)/" -H "Authorization: Api-Key $KEY"

#@ 201 204 201 200
curl -sS -X POST "$BASE/b/access/v1/webhook-secrets/" -H "Authorization: Api-Key $KEY"
curl -sS -X DELETE "$BASE/b/access/v1/webhook-secrets/previous/" -H "Authorization: Api-Key $KEY"
curl -sS "$BASE/b/access/v1/signature-keys/" -H "Authorization: Api-Key $KEY" -H "$JSON" -d '{}'
curl -sS "$BASE/b/access/v1/audit/?limit=10" -H "Authorization: Api-Key $KEY"

# Erasing a payer
#@ 200
curl -sS "$BASE/b/checkout/v1/erase/" -H "Authorization: Api-Key $KEY" -H "$JSON" -d '{"customer_id": "customer-to-erase"}'

# The operator
#@ 201 200 204 200
curl -sS "$BASE/b/operator/v1/operators/" -H "Authorization: Bearer $TOKEN" -H "$JSON" -o .dev/operator.json -d '{"name": "Sara", "role": "support"}'
curl -sS "$BASE/b/operator/v1/operators/" -H "Authorization: Bearer $TOKEN"
curl -sS -X DELETE "$BASE/b/operator/v1/operators/$(field operator id)/" -H "Authorization: Bearer $TOKEN"
curl -sS "$BASE/b/operator/v1/audit/?merchant=$MERCHANT&limit=10" -H "Authorization: Bearer $TOKEN"

#@ 200 200
curl -sS "$BASE/b/operator/v1/merchants/?limit=10" -H "Authorization: Bearer $TOKEN"
curl -sS "$BASE/b/operator/v1/transactions/?session_id=$SESSION" -H "Authorization: Bearer $TOKEN"

#@ 204
curl -sS -X POST "$BASE/b/operator/v1/transactions/$(field other session_id)/restore/" -H "Authorization: Bearer $TOKEN"

#@ 200 201 200
curl -sS "$BASE/b/operator/v1/merchants/$MERCHANT/" -H "Authorization: Bearer $TOKEN" -o .dev/merchant.json
node -p "JSON.stringify({ merchant_id: 'api-shop', settings: { ...require('./scripts/demo-settings.json'), reference_prefix: 'S2' } })" |
  curl -sS "$BASE/b/operator/v1/merchants/" -H "Authorization: Bearer $TOKEN" -H "$JSON" -o .dev/shop.json -d @-
node -p "JSON.stringify(require('./scripts/demo-settings.json'))" |
  curl -sS -X PUT "$BASE/b/operator/v1/merchants/api-shop/settings/" -H "Authorization: Bearer $TOKEN" -H "$JSON" -d @-

#@ 200 200 200 200 200 200
curl -sS "$BASE/b/operator/v1/merchants/api-shop/pause/" -H "Authorization: Bearer $TOKEN" -H "$JSON" -d '{"is_paused": true}'
curl -sS "$BASE/b/operator/v1/merchants/api-shop/pause/" -H "Authorization: Bearer $TOKEN" -H "$JSON" -d '{"is_paused": false}'
curl -sS "$BASE/b/operator/v1/merchants/api-shop/settings/versions/" -H "Authorization: Bearer $TOKEN"
curl -sS "$BASE/b/operator/v1/merchants/api-shop/settings/versions/1/" -H "Authorization: Bearer $TOKEN"
curl -sS "$BASE/b/operator/v1/merchants/api-shop/settings/versions/1/diff/?with=2" -H "Authorization: Bearer $TOKEN"
curl -sS "$BASE/b/operator/v1/merchants/api-shop/settings/versions/1/restore/" -H "Authorization: Bearer $TOKEN" -H "$JSON" -d '{"version": 4}'

#@ 201 200 200 204 204 200 204
curl -sS "$BASE/b/operator/v1/merchants/api-shop/images/" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: image/png' -o .dev/image.json --data-binary @.dev/logo.png
curl -sS "$BASE/b/operator/v1/merchants/api-shop/images/" -H "Authorization: Bearer $TOKEN"
curl -sS "$BASE/b/operator/v1/merchants/api-shop/brand/preview/?state=declined" -H "Authorization: Bearer $TOKEN"
curl -sS -X DELETE "$BASE/b/operator/v1/merchants/api-shop/images/$(field image name)/" -H "Authorization: Bearer $TOKEN"
curl -sS -X PUT "$BASE/b/operator/v1/apple-domain-file/" -H "Authorization: Bearer $TOKEN" -d 7B227073704964223A22
curl -sS "$BASE/.well-known/apple-developer-merchantid-domain-association"
curl -sS -X PUT "$BASE/b/operator/v1/apple-domain-file/" -H "Authorization: Bearer $TOKEN" -d ''

#@ 200 404 404 404
curl -sS "$BASE/b/operator/v1/merchants/api-shop/transactions/?limit=5" -H "Authorization: Bearer $TOKEN"
curl -sS "$BASE/b/operator/v1/merchants/api-shop/transactions/$SESSION/" -H "Authorization: Bearer $TOKEN"
curl -sS "$BASE/b/operator/v1/merchants/api-shop/inquiry/" -H "Authorization: Bearer $TOKEN" -H "$JSON" -d '{"session_id": "'"$SESSION"'"}'
curl -sS -X POST "$BASE/b/operator/v1/merchants/api-shop/transactions/$SESSION/notify/" -H "Authorization: Bearer $TOKEN"

#@ 200 404 200 200 404 200
curl -sS "$BASE/b/operator/v1/merchants/api-shop/deliveries/?state=given_up" -H "Authorization: Bearer $TOKEN"
curl -sS "$BASE/b/operator/v1/merchants/api-shop/deliveries/evt_00a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3_7/" -H "Authorization: Bearer $TOKEN"
curl -sS "$BASE/b/operator/v1/merchants/api-shop/resend/" -H "Authorization: Bearer $TOKEN" -H "$JSON" \
  -d '{"state": "given_up", "since": "2026-01-01T00:00:00Z", "until": "2026-01-02T00:00:00Z"}'
curl -sS "$BASE/b/operator/v1/merchants/api-shop/receivers/" -H "Authorization: Bearer $TOKEN"
curl -sS "$BASE/b/operator/v1/merchants/api-shop/receivers/enable/" -H "Authorization: Bearer $TOKEN" -H "$JSON" -d '{"address": "https://shop.example.com"}'
curl -sS "$BASE/b/operator/v1/merchants/api-shop/test-webhooks/" -H "Authorization: Bearer $TOKEN" -H "$JSON" \
  -d '{"address": "'"$BASE"'/sandbox/inbox/test/", "kind": "operation_webhook"}'

#@ 201 204 201
curl -sS -X POST "$BASE/b/operator/v1/merchants/api-shop/webhook-secrets/" -H "Authorization: Bearer $TOKEN"
curl -sS -X DELETE "$BASE/b/operator/v1/merchants/api-shop/webhook-secrets/previous/" -H "Authorization: Bearer $TOKEN"
curl -sS "$BASE/b/operator/v1/merchants/api-shop/signature-keys/" -H "Authorization: Bearer $TOKEN" -H "$JSON" -d '{"at_once": true}'

#@ 201 200 204
curl -sS "$BASE/b/operator/v1/merchants/api-shop/keys/" -H "Authorization: Bearer $TOKEN" -H "$JSON" -o .dev/key.json \
  -d '{"kind": "private", "name": "Web shop", "expires_at": "2035-01-01T00:00:00Z"}'
curl -sS "$BASE/b/operator/v1/merchants/api-shop/keys/" -H "Authorization: Bearer $TOKEN"
curl -sS -X DELETE "$BASE/b/operator/v1/merchants/api-shop/keys/$(field key prefix)/" -H "Authorization: Bearer $TOKEN"

#@ 201 200 200 200
curl -sS "$BASE/b/operator/v1/merchants/api-shop/users/" -H "Authorization: Bearer $TOKEN" -H "$JSON" -o .dev/user.json \
  -d '{"username": "sara@api-shop", "password": "correct horse battery", "first_name": "Sara", "is_superuser": true}'
curl -sS "$BASE/b/operator/v1/merchants/api-shop/users/" -H "Authorization: Bearer $TOKEN"
curl -sS "$BASE/b/operator/v1/merchants/api-shop/users/$(field user id)/" -H "Authorization: Bearer $TOKEN"
curl -sS -X PATCH "$BASE/b/operator/v1/merchants/api-shop/users/$(field user id)/" -H "Authorization: Bearer $TOKEN" -H "$JSON" \
  -d '{"email": "sara@shop.example", "is_active": false}'

#@ 200 200
curl -sS "$BASE/b/operator/v1/merchants/api-shop/clock/" -H "Authorization: Bearer $TOKEN" -H "$JSON" -d '{"advance": "1 00:00:00"}'
curl -sS "$BASE/b/operator/v1/merchants/api-shop/clock/" -H "Authorization: Bearer $TOKEN"

#@ 200 200
curl -sS "$BASE/b/operator/v1/merchants/api-shop/reconciliations/" -H "Authorization: Bearer $TOKEN" -H "$JSON" -d '{"pg_code": "knet", "from": "2026-01-01T00:00:00Z"}'
curl -sS "$BASE/b/operator/v1/merchants/api-shop/reconciliations/" -H "Authorization: Bearer $TOKEN"

#@ 200
curl -sS -X POST "$BASE/b/operator/v1/merchants/api-shop/gateways/knet/check/" -H "Authorization: Bearer $TOKEN"

#@ 200 200
curl -sS "$BASE/b/operator/v1/reseal/" -H "Authorization: Bearer $TOKEN"
curl -sS -X POST "$BASE/b/operator/v1/reseal/" -H "Authorization: Bearer $TOKEN"

#@ 200
curl -sS "$BASE/b/operator/v1/merchants/api-shop/erase/" -H "Authorization: Bearer $TOKEN" -H "$JSON" -d '{"customer_id": "customer-to-erase"}'

#@ 200
curl -sS "$BASE/metrics" -H "Authorization: Bearer $TOKEN"

#@ 201 200 200 200 200
curl -sS "$API/pymt-txn/" -H "Authorization: Api-Key $KEY" -H "$JSON" -o .dev/held.json \
  -d '{"type": "e_commerce", "amount": "1.000", "currency_code": "KWD", "pg_codes": ["knet"], "order_no": "API-5"}'
curl -sS "$SDK/submit/$(field held session_id)/" -H "$JSON" -d '{"pg_code": "knet"}' -o .dev/submitted.json
curl -sS -L "$(field submitted redirect_url)" -d action=pay -d card=visa-wrong-amount -o .dev/page.html
curl -sS "$BASE/b/operator/v1/attention/" -H "Authorization: Bearer $TOKEN" -o .dev/attention.json
curl -sS "$BASE/b/operator/v1/attention/$(field attention 0.id)/resolve/" -H "Authorization: Bearer $TOKEN" -H "$JSON" -d '{"action": "not_charged"}'

#@ 200
curl -sS "$BASE/healthz"

# Errors
#@ 400 200
curl -sS "$API/pymt-txn/" -H "Authorization: Api-Key $KEY" -H "$JSON" -d '{"type": "e_commerce", "amount": "ten"}' -o .dev/problem.json
curl -sS "$(field problem type)"
