import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** Reads lines of cases and prints for each whether this program accepts the webhook: see ../README.md. */
final class Conformance {
    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};

    private Conformance() {}

    public static void main(String[] arguments) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (!line.isEmpty()) {
                System.out.println(isRight(JSON.readValue(line, OBJECT)) ? "ok" : "refused");
            }
        }
    }

    private static boolean isRight(Map<String, Object> test) throws Exception {
        byte[] body = Base64.getDecoder().decode((String) test.get("body"));
        if (test.get("kind").equals("headers")) {
            long now = ((Number) test.get("now")).longValue();
            return Verify.headers(texts(test.get("headers")), body, list(test.get("secrets")), now);
        }
        Map<String, Object> fields;
        try {
            fields = JSON.readValue(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString(), OBJECT);
        } catch (IOException refused) {
            return false;
        }
        return fields != null && Verify.field(fields, (String) test.get("hmac_key"));
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
