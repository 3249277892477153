-- Limits in the order in which they are listed to everybody, without sorting them and without those that are not.
CREATE INDEX domain_limits_listed ON domain_limits (severity = 'silence', domain, severity, obfuscate, public_comment)
  WHERE severity IN ('suspend', 'silence');
