import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Verifies webhooks of Till. Needs Java 17 or later and no library. */
final class Verify {
    /** How many seconds {@code webhook-timestamp} may be away from now. */
    private static final long TOLERANCE = 300;
    private static final List<String> SIGNED = List.of(
        "amount", "currency_code", "customer_address_city", "customer_address_country", "customer_address_line1",
        "customer_address_line2", "customer_address_postal_code", "customer_address_state", "customer_email",
        "customer_first_name", "customer_last_name", "customer_phone", "gateway_account", "gateway_name", "order_no",
        "reference_number", "result", "state");

    private Verify() {}

    /**
     * Whether the headers prove that the bytes come from Till, and were signed within five minutes of {@code now}.
     *
     * @param headers names in lower case
     * @param body the bytes as they came, before anything parses them
     * @param secrets each {@code whsec_…}; two while a secret is exchanged
     * @param now seconds since 1970
     */
    static boolean headers(Map<String, String> headers, byte[] body, List<String> secrets, long now)
            throws GeneralSecurityException {
        String id = headers.getOrDefault("webhook-id", "");
        String time = headers.getOrDefault("webhook-timestamp", "");
        String signatures = headers.getOrDefault("webhook-signature", "");
        if (id.isEmpty() || signatures.isEmpty() || !time.matches("[0-9]{1,15}")
                || Math.abs(now - Long.parseLong(time)) > TOLERANCE) {
            return false;
        }
        boolean isRight = false;
        for (String secret : secrets) {
            byte[] key = Base64.getDecoder().decode(secret.substring("whsec_".length()));
            byte[] head = (id + "." + time + ".").getBytes(StandardCharsets.UTF_8);
            byte[] expected = ("v1," + Base64.getEncoder().encodeToString(hmac(key, head, body))).getBytes(StandardCharsets.UTF_8);
            for (String given : signatures.split(" ")) {
                isRight |= MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), expected);
            }
        }
        return isRight;
    }

    /**
     * Whether the field {@code signature} of a body is right. It covers 18 fields, neither the other fields nor the time.
     *
     * @param fields the members of the body, as any JSON library reads them
     */
    static boolean field(Map<String, Object> fields, String hmacKey) throws GeneralSecurityException {
        if (!(fields.get("signature") instanceof String signature)) {
            return false;
        }
        StringBuilder text = new StringBuilder();
        for (String name : SIGNED) {
            Object value = fields.get(name);
            if (value != null && !(value instanceof String)) {
                return false;
            }
            if (value instanceof String line && !line.isEmpty()) {
                text.append(name).append(line);
            }
        }
        byte[] right = hmac(hmacKey.getBytes(StandardCharsets.UTF_8), text.toString().getBytes(StandardCharsets.UTF_8));
        return MessageDigest.isEqual(
            signature.getBytes(StandardCharsets.UTF_8), HexFormat.of().formatHex(right).getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] hmac(byte[] key, byte[]... parts) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        for (byte[] part : parts) {
            mac.update(part);
        }
        return mac.doFinal();
    }
}
