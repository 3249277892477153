/**
 * Limits that hold on every instance, as Mastodon has them. The API tells clients exactly these, so whoever
 * enforces one takes it from here. What an operator may choose is in `config.limits`.
 */
export const accountLimits = {
  displayNameCharacters: 30,
  noteCharacters: 500,
  pictureDescriptionCharacters: 150,
  pinnedStatuses: 5,
  featuredTags: 10,
  fields: 4,
  fieldNameCharacters: 255,
  fieldValueCharacters: 255,
} as const

export const listLimits = { perAccount: 50, titleCharacters: 256 } as const

export const mediaLimits = {
  perStatus: 4,
  descriptionCharacters: 1_500,
  imagePixels: 33_177_600,
  videoPixels: 8_294_400,
  framesPerSecond: 120,
} as const

export const pollLimits = {
  options: 4,
  optionCharacters: 50,
  minSeconds: 300,
  maxSeconds: 2_629_746,
} as const

/** Ours and Glitch's: of one person to a status. All together may be of so many kinds: the status row keeps them. */
export const reactionLimits = { perAccount: 8, kinds: 50 } as const

export const collectionLimits = {
  nameCharacters: 40,
  descriptionCharacters: 100,
  items: 25,
} as const

/** Of posts that wait for their time. A day is one of UTC, the one they are to be posted on. */
export const scheduleLimits = { minSeconds: 300, perDay: 25, total: 300 } as const

/**
 * Lengths as Mastodon has them, in code points. It counts neither filters nor what is in them: every page is held
 * against all of it, so here it ends somewhere.
 */
export const filterLimits = {
  titleCharacters: 256,
  keywordCharacters: 512,
  filters: 200,
  keywords: 500,
  statuses: 500,
} as const

/** Ours, for what passes between devices that encrypt: Mastodon had no limits there. */
export const cryptoLimits = {
  oneTimeKeys: 100,
  devicesPerRequest: 25,
  bodyCharacters: 16_384,
  messagesPerDevice: 500,
  keptDays: 30,
} as const

/** Kinds of reaction to an announcement. */
export const announcementLimits = { kindsOfReaction: 8 } as const
