package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
)

// A testCase is one line that is read: see ../README.md.
type testCase struct {
	Kind    string
	Headers map[string]string
	Body    string
	Secrets []string
	HmacKey string `json:"hmac_key"`
	Now     int64
}

// main reads lines of cases and prints for each whether this program accepts the webhook.
func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if len(lines.Bytes()) == 0 {
			continue
		}
		var one testCase
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			panic(err)
		}
		body, err := base64.StdEncoding.DecodeString(one.Body)
		if err != nil {
			panic(err)
		}
		right := false
		if one.Kind == "headers" {
			right = VerifyHeaders(one.Headers, body, one.Secrets, one.Now)
		} else {
			right = VerifyField(body, one.HmacKey)
		}
		if right {
			fmt.Println("ok")
		} else {
			fmt.Println("refused")
		}
	}
}
