// Names of the variables that an operator may set: those of src/config.ts (test/node/reference.test.ts compares them).
export const knownVariables = [
  'ORIGIN',
  'MEDIA_ORIGIN',
  'ACCOUNT_DOMAIN',
  'SOURCE_URL',
  'INSTANCE_SECRET',
  'ACCEPTED_INSTANCE_SECRETS',
  'SETUP_SECRET',
  'SETUP_TOKEN',
  'METRICS_TOKEN',
  'MAIL_FROM',
  'REQUIRE_SIGN_IN',
  'LIMITED_FEDERATION',
  'FEDERATION_TEST_HOSTS',
  'AUTHORIZED_FETCH',
  'DEEPL_API_KEY',
  'DEEPL_ENDPOINT',
  'LIBRE_TRANSLATE_ENDPOINT',
  'LIBRE_TRANSLATE_API_KEY',
  'TRANSLATION_MODEL',
  'PLAN',
  'DAILY_REQUESTS',
  'DAILY_ROWS_READ',
  'DAILY_ROWS_WRITTEN',
  'DAILY_OBJECT_CALLS',
  'DAILY_QUEUE_OPERATIONS',
  'MAX_STATUS_CHARACTERS',
  'MAX_IMAGE_BYTES',
  'MAX_VIDEO_BYTES',
]

/** Logs the names of variables that no version knows; `others` are those of the place where they stand. */
export function nameUnknown(variables, { file, others = [], log }) {
  const known = new Set([...knownVariables, ...others])
  const unknown = Object.keys(variables).filter((name) => !known.has(name))
  if (unknown.length === 0) return
  const are = unknown.length === 1 ? 'is no variable' : 'are no variables'
  log(
    `${file}: ${unknown.join(', ')} ${are} of this version, and changes nothing (docs/operate/configure.md).`,
  )
}
