/**
 * Limits of every instance, as in Mastodon. The API publishes exactly these, so every check uses them. Limits
 * an operator may choose are in `config.limits`.
 */
export const accountLimits = {
  displayNameCharacters: 40,
  noteCharacters: 500,
  pictureDescriptionCharacters: 150,
  pinnedStatuses: 5,
  featuredTags: 10,
  fields: 4,
  fieldNameCharacters: 255,
  fieldValueCharacters: 255,
  /** Not in Mastodon, see `statusBytes`: an account is sent along with each of its statuses. */
  noteBytes: 8_192,
  noteHtmlBytes: 20_480,
  fieldsHtmlBytes: 8_192,
} as const

/**
 * Size limits of a status of so many characters, beside Mastodon's limit in characters: there a URL counts 23
 * whatever its length, and one character carries any number of combining marks.
 *
 * With the usual 500 characters `text` holds 500 times the longest emoji there is (35 bytes), or an address of
 * 16 KB as playgrounds and diagram editors make them; `html` holds such a text once its links are written out,
 * twice each.
 */
export function statusBytes(characters: number): { readonly text: number; readonly html: number } {
  const text = 16_384 + 4 * characters
  return { text, html: Math.max(40_960, 2 * text) }
}

/** Limits per text. Each becomes a link and an entity, a mention also a notification. */
export const namedLimits = { mentions: 100, hashtags: 100, emojis: 100, allowedMentions: 100 } as const

/** Not in Mastodon: earlier versions of a status that are kept and shown. */
export const editLimits = { versions: 100 } as const

export const listLimits = { perAccount: 50, titleCharacters: 256 } as const

export const mediaLimits = {
  perStatus: 4,
  descriptionCharacters: 10_000,
  /** Not in Mastodon: of all files of a status; one of so many characters in any alphabet, or four in the Latin one. */
  descriptionsBytes: 40_000,
  imagePixels: 33_177_600,
  /** Not in Mastodon: pixels of a picture that is kept as uploaded, as many as a stored original has. */
  keptImagePixels: 8_294_400,
  videoPixels: 8_294_400,
  framesPerSecond: 120,
} as const

export const pollLimits = {
  options: 4,
  optionCharacters: 50,
  /** Not in Mastodon: fifty of the longest emoji. */
  optionBytes: 1_750,
  minSeconds: 300,
  maxSeconds: 2_629_746,
} as const

/**
 * As in Glitch: reactions per account to a status, and distinct ones per status, which are stored in the status
 * row.
 */
export const reactionLimits = { perAccount: 8, kinds: 50 } as const

export const collectionLimits = {
  nameCharacters: 40,
  descriptionCharacters: 100,
  items: 25,
} as const

/** Limits of scheduled statuses. A day is the UTC day they are scheduled for. */
export const scheduleLimits = { minSeconds: 300, perDay: 25, total: 300 } as const

/**
 * Lengths as in Mastodon, in code points. Mastodon does not limit the number of filters and keywords: every
 * page is matched against them, so here they are limited.
 */
export const filterLimits = {
  titleCharacters: 256,
  keywordCharacters: 512,
  filters: 200,
  keywords: 500,
  statuses: 500,
  /** Total of all filters of one account. */
  keywordsInAll: 2_000,
  keywordBytesInAll: 131_072,
  statusesInAll: 2_000,
} as const

/** Limits of end-to-end encrypted messages between devices: Mastodon had none. */
export const cryptoLimits = {
  oneTimeKeys: 100,
  devicesPerRequest: 25,
  bodyCharacters: 16_384,
  messagesPerDevice: 500,
  keptDays: 30,
} as const

/** Distinct reactions to an announcement. */
export const announcementLimits = { kindsOfReaction: 8 } as const
