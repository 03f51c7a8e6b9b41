"""Reads lines of cases and prints for each whether this program accepts the webhook: see ../README.md."""
import base64
import json
import sys

from verify import verify_field, verify_headers

for line in sys.stdin.buffer.read().decode("utf-8").split("\n"):
    if not line:
        continue
    case = json.loads(line)
    body = base64.b64decode(case["body"])
    if case["kind"] == "headers":
        right = verify_headers(case["headers"], body, case["secrets"], case["now"])
    else:
        right = verify_field(body, case["hmac_key"])
    print("ok" if right else "refused")
