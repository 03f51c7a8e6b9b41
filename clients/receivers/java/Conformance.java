import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** Reads lines of cases and prints for each whether this program accepts the webhook: see ../README.md. */
final class Conformance {
    private Conformance() {}

    public static void main(String[] arguments) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (!line.isEmpty()) {
                System.out.println(isRight(object(Json.read(line))) ? "ok" : "refused");
            }
        }
    }

    private static boolean isRight(Map<String, Object> test) throws Exception {
        byte[] body = Base64.getDecoder().decode((String) test.get("body"));
        if (test.get("kind").equals("headers")) {
            long now = ((Double) test.get("now")).longValue();
            return Verify.headers(texts(test.get("headers")), body, list(test.get("secrets")), now);
        }
        Object fields;
        try {
            fields = Json.read(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString());
        } catch (CharacterCodingException | IllegalArgumentException refused) {
            return false;
        }
        return fields instanceof Map<?, ?> && Verify.field(object(fields), (String) test.get("hmac_key"));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> object(Object value) {
        return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, String> texts(Object value) {
        return (Map<String, String>) value;
    }

    @SuppressWarnings("unchecked")
    private static List<String> list(Object value) {
        return (List<String>) value;
    }
}
