# Every target sets itself up: what is missing is installed into the project, and nothing is done twice.

SETUP := @sh scripts/setup.sh
# In CI nothing is compiled a second time, so what would make that fast is not written.
ONCE := test -z "$$CI" || export CARGO_INCREMENTAL=0;

.PHONY: help dev code listen describe gallery messages picture record client fuzz-api test quick test-native test-worker test-browser simulation simulation-queues reliability bench bench-backlog bench-million bench-desk bench-page size build deploy gateway setup tools fmt reset

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | awk -F'\t' '{ printf "  make %-14s %s\n", $$1, $$2 }'

dev: ## build and serve on http://127.0.0.1:8787 with a demo merchant (another port: PORT=8788; a gateway with a counterparty: GATEWAY=stripe or adyen)
	$(SETUP) dev $(GATEWAY)
	@GATEWAY='$(GATEWAY)' exec node scripts/dev.mjs

code: ## the codes of the demo users who have a second factor, as an app on their phone shows them now
	@exec node scripts/demo-desk.mjs

listen: ## receive, verify and print webhooks on this machine (PORT=9001, ANSWER=201 or hang, SECRET=whsec_…, HMAC_KEY=…, JWKS=file or address)
	@PORT='$(PORT)' ANSWER='$(ANSWER)' SECRET='$(SECRET)' HMAC_KEY='$(HMAC_KEY)' JWKS='$(JWKS)' exec node scripts/listen.mjs

test: ## all checks and tests: lints, no_std, native, worker, browser, docs
	$(SETUP) test
	@$(ONCE) exec node scripts/test.mjs

quick: ## formatting, the native tests with few seeds, and one file on workerd, in under two minutes
	$(SETUP) test
	@SIMULATION_SEEDS=$${SIMULATION_SEEDS:-200} exec node scripts/test.mjs fmt page smoke native

test-native: ## only the tests that run natively
	$(SETUP) dev
	@exec node scripts/test.mjs page native

test-worker: ## only the built Worker on workerd
	$(SETUP) dev
	@exec node scripts/test.mjs build builds timed worker

test-browser: ## only the page in Chromium
	$(SETUP) test
	@exec node scripts/test.mjs build web-units browser

simulation: ## many payments with random faults, one seed each (how many: SIMULATION_SEEDS=100000, one: SEED=7)
	$(SETUP) dev
	@SIMULATION_SEEDS=$${SIMULATION_SEEDS:-100000} cargo test --release -p checkout-tests --test simulation -- --nocapture

simulation-queues: ## webhooks whose doorbells are lost, late and doubled, with consumers that die (how many: DELIVERIES=100000)
	$(SETUP) dev
	@DELIVERIES=$${DELIVERIES:-100000} cargo test --release -p checkout-tests --test messaging queues:: -- --nocapture

reliability: ## races, kills, hostile JSON, gateways that break and a soak, about 45 minutes (only some: KINDS=races,kills; sizes: ROUNDS=, SECONDS=)
	$(SETUP) test
	@node scripts/build.mjs bench
	@TILL_BUILD=build-bench exec node tests/reliability/run.mjs

bench: ## throughput compared with a plain JavaScript Worker, and the cost of parsing a request
	$(SETUP) dev
	@node scripts/build.mjs bench
	@exec node tests/bench/run.mjs

bench-backlog: ## a receiver that comes back to 20,000 webhooks, and as many due expiries and inquiries, against their limits (fewer: BACKLOG=2000)
	$(SETUP) dev
	@node scripts/build.mjs bench
	@TILL_BUILD=build-bench exec node tests/bench/backlog.mjs

bench-million: ## retrieving and listing with a million transactions stored, compared with an empty database (fewer: TRANSACTIONS=100000)
	$(SETUP) dev
	@node scripts/build.mjs bench
	@exec node tests/bench/million.mjs

bench-desk: ## lists, filters, searches and totals of a merchant with 100,000 payments, at the API and at the desk, against their limits (fewer: PAYMENTS=20000)
	$(SETUP) dev
	@node scripts/build.mjs bench
	@TILL_BUILD=build-bench exec node tests/bench/desk.mjs

bench-page: ## how soon the hosted page can be paid on, on a slow phone, against its limits
	$(SETUP) test
	@node scripts/build.mjs bench
	@TILL_BUILD=build-bench exec node tests/bench/page.mjs

size: ## gzip sizes of the Worker, with and without the sandbox, and of the hosted page, against their limits
	$(SETUP) dev
	@exec node scripts/size.mjs

build: ## the page module and the Worker (TILL_PROFILE=production for one to deploy)
	$(SETUP) dev
	@exec node scripts/build.mjs

deploy: ## deploy to Cloudflare: asks, makes what is missing, checks, prints the first payment link (only look: DRY_RUN=1; answers: docs/operating/deploy.md)
	$(SETUP) dev
	@exec node scripts/deploy.mjs

gateway: ## write a new connector to begin with (its name: NAME=acme)
	@exec node scripts/gateway.mjs '$(NAME)'

setup: ## install what is missing and stop
	$(SETUP) test

tools: ## setup, and wasm-pack for use by hand
	$(SETUP) tools

describe: ## write the description of the API, www/openapi.json, and what the element says and knows
	$(SETUP) dev
	@TILL_DESCRIBE=1 cargo test --quiet -p checkout-tests --test rules description::

record: ## record the calls of tests/vectors/calls.json again, from a Worker that is built, and the samples of webhooks
	$(SETUP) dev
	@TILL_PROFILE=development node scripts/build.mjs
	@TILL_RECORD=1 node --test tests/worker/calls.test.mjs
	@TILL_RECORD=1 cargo test --quiet -p checkout-tests --test messaging webhook_samples::

gallery: ## pictures of every screen in target/gallery: phone and desktop, light and dark, English and Arabic (only some: SCREENS=paid,bank)
	$(SETUP) test
	@TILL_PROFILE=development node scripts/build.mjs
	@exec node scripts/gallery.mjs

messages: ## pictures of every message to payers in target/messages: each event, channel and language
	$(SETUP) test
	@exec node scripts/messages.mjs

picture: ## the picture of README.md, docs/page.webp: a payable page in English and Arabic
	$(SETUP) test
	@TILL_PROFILE=development node scripts/build.mjs
	@exec node scripts/picture.mjs

client: ## generate, compile and pack the TypeScript client and the package for pages of merchants
	$(SETUP) dev
	@node scripts/client.mjs pack
	@exec node scripts/checkout.mjs pack

fuzz-api: ## call a Worker with generated requests, against the description (how many at least: CASES=10000, how long at most: MINUTES=30)
	$(SETUP) dev
	@TILL_PROFILE=development node scripts/build.mjs
	@exec node scripts/fuzz/run.mjs

fmt: ## format the Rust code
	@cargo fmt --all
	@find core/src/gateway -name '*.rs' -exec rustfmt --edition 2024 {} +

reset: ## delete the local database, the demo merchant and the local secrets
	@rm -rf .wrangler/state .dev .dev.vars
	@echo "cleared: .wrangler/state, .dev, .dev.vars"
