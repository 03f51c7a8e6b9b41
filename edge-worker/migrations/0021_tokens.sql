-- A token of a merchant's provider names its merchant by issuer and audience.

CREATE INDEX merchant_by_provider
  ON merchant (document ->> '$.single_sign_on.issuer', document ->> '$.single_sign_on.audience');
