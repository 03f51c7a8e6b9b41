// Package main verifies webhooks of Till. It needs Go 1.20 or later and no module.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// tolerance is how many seconds webhook-timestamp may be away from now.
const tolerance = 300

var signedFields = strings.Fields(`amount currency_code customer_address_city customer_address_country
	customer_address_line1 customer_address_line2 customer_address_postal_code customer_address_state customer_email
	customer_first_name customer_last_name customer_phone gateway_account gateway_name order_no reference_number
	result state`)

var digits = regexp.MustCompile(`\A[0-9]{1,15}\z`)

// VerifyHeaders says whether the headers prove that the bytes come from Till, and were signed within five minutes of now
// (seconds since 1970). The names of headers are in lower case, body is the bytes as they came, and each secret is
// whsec_…; there are two while a secret is exchanged.
func VerifyHeaders(headers map[string]string, body []byte, secrets []string, now int64) bool {
	id, moment, signatures := headers["webhook-id"], headers["webhook-timestamp"], headers["webhook-signature"]
	if id == "" || signatures == "" || !digits.MatchString(moment) {
		return false
	}
	seconds, err := strconv.ParseInt(moment, 10, 64)
	if err != nil || now-seconds > tolerance || seconds-now > tolerance {
		return false
	}
	right := false
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) == 0 {
			continue
		}
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(id + "." + moment + "."))
		mac.Write(body)
		expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
		for _, given := range strings.Split(signatures, " ") {
			right = hmac.Equal([]byte(given), expected) || right
		}
	}
	return right
}

// VerifyField says whether the field signature of a body is right. It covers 18 fields, neither the other fields nor the
// time.
func VerifyField(body []byte, hmacKey string) bool {
	var fields map[string]any
	if err := json.Unmarshal(body, &fields); err != nil || !utf8.Valid(body) {
		return false
	}
	given, isText := fields["signature"].(string)
	if !isText {
		return false
	}
	mac := hmac.New(sha256.New, []byte(hmacKey))
	for _, name := range signedFields {
		value, isText := fields[name].(string)
		if !isText && fields[name] != nil {
			return false
		}
		if value != "" {
			mac.Write([]byte(name + value))
		}
	}
	return hmac.Equal([]byte(given), []byte(hex.EncodeToString(mac.Sum(nil))))
}
