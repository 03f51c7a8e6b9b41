<?php
// Reads lines of cases and prints for each whether this program accepts the webhook: see ../README.md.
declare(strict_types=1);

require __DIR__ . '/verify.php';

foreach (explode("\n", (string) stream_get_contents(STDIN)) as $line) {
    if ($line === '') {
        continue;
    }
    $case = json_decode($line, true, 64, JSON_THROW_ON_ERROR);
    $body = base64_decode($case['body'], true);
    $isRight = $case['kind'] === 'headers'
        ? verify_headers($case['headers'], $body, $case['secrets'], $case['now'])
        : verify_field($body, $case['hmac_key']);
    echo $isRight ? "ok\n" : "refused\n";
}
