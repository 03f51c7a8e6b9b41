<?php
// Verifies a webhook of Till. Needs PHP 8.1 or later and no package.
declare(strict_types=1);

/** How many seconds webhook-timestamp may be away from now. */
const TOLERANCE = 300;
const SIGNED = [
    'amount', 'currency_code', 'customer_address_city', 'customer_address_country', 'customer_address_line1',
    'customer_address_line2', 'customer_address_postal_code', 'customer_address_state', 'customer_email',
    'customer_first_name', 'customer_last_name', 'customer_phone', 'gateway_account', 'gateway_name', 'order_no',
    'reference_number', 'result', 'state',
];

/**
 * Whether the headers prove that the bytes come from Till, and were signed within five minutes of $now.
 *
 * @param array<string, string> $headers names in lower case
 * @param string $body the bytes as they came: file_get_contents('php://input')
 * @param string[] $secrets each whsec_…; two while a secret is exchanged
 */
function verify_headers(array $headers, string $body, array $secrets, ?int $now = null): bool
{
    $id = $headers['webhook-id'] ?? '';
    $time = $headers['webhook-timestamp'] ?? '';
    $signatures = $headers['webhook-signature'] ?? '';
    if ($id === '' || $signatures === '' || preg_match('/\A[0-9]{1,15}\z/', $time) !== 1) {
        return false;
    }
    if (abs(($now ?? time()) - (int) $time) > TOLERANCE) {
        return false;
    }
    $isRight = false;
    foreach ($secrets as $secret) {
        $key = base64_decode(substr($secret, strlen('whsec_')), true);
        if ($key === false || $key === '') {
            continue;
        }
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$time.$body", $key, true));
        foreach (explode(' ', $signatures) as $given) {
            $isRight = hash_equals($expected, $given) || $isRight;
        }
    }
    return $isRight;
}

/** Whether the field signature of a body is right. It covers 18 fields, neither the other fields nor the time. */
function verify_field(string $body, string $hmacKey): bool
{
    $fields = json_decode($body, true);
    if (!is_array($fields) || !is_string($fields['signature'] ?? null)) {
        return false;
    }
    $text = '';
    foreach (SIGNED as $name) {
        $value = $fields[$name] ?? null;
        if ($value === null || $value === '') {
            continue;
        }
        if (!is_string($value)) {
            return false;
        }
        $text .= $name . $value;
    }
    return hash_equals(hash_hmac('sha256', $text, $hmacKey), $fields['signature']);
}
