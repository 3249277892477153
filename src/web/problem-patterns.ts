import type { TextKey } from '../lib/translate'

export interface Predicate {
  /** End of the English sentence after the name of the field, as Mastodon writes it; the first group is a number. */
  readonly pattern: RegExp
  readonly text: TextKey
}

/** Refusals of a field, without its name. Of two that fit, the first counts. */
export const predicates: readonly Predicate[] = [
  { pattern: /can't be blank/, text: 'problem.fieldRequired' },
  { pattern: /has to be chosen/, text: 'problem.fieldChooseOne' },
  { pattern: /has already been taken/, text: 'problem.fieldAlreadyTaken' },
  { pattern: /is reserved/, text: 'problem.fieldReserved' },
  { pattern: /is wrong/, text: 'problem.fieldWrong' },
  { pattern: /is wrong or was used before/, text: 'problem.fieldWrongUsedBefore' },
  { pattern: /must be accepted/, text: 'problem.fieldHasAccepted' },
  { pattern: /is missing or too long/, text: 'problem.fieldMissingTooLong' },
  {
    pattern: /(?:is not included in the list|is not a supported language|is not offered)/,
    text: 'problem.fieldNotOneOffered',
  },
  { pattern: /is not one of those offered/, text: 'problem.fieldNotOneOffered' },
  {
    pattern:
      /(?:(?:content type )?is invalid|is not a valid hashtag|is not a SHA-256 in hex|is not a day|does not reference valid rules|is not valid|is not a valid e-mail address)/,
    text: 'problem.fieldNotValid',
  },
  {
    pattern: /must be a whole number from 1 on, or empty/,
    text: 'problem.fieldWholeNumberFrom',
  },
  {
    pattern: /belongs to another kind of list, as its first line says/,
    text: 'problem.fieldBelongsAnotherKind',
  },
  { pattern: /has no line that fits/, text: 'problem.fieldNoLineFits' },
  {
    pattern: /has more than (\d+) lines/,
    text: 'problem.fieldMoreThanLines',
  },
  {
    pattern: /has to wait: another import is not finished yet/,
    text: 'problem.fieldHasWaitAnother',
  },
  {
    pattern: /(?:doesn't match .*|is not the same\b.*)/,
    text: 'problem.fieldNotSame',
  },
  {
    pattern: /must contain only letters, numbers and underscores(?:, 30 at most)?/,
    text: 'problem.fieldOnlyLettersFrom',
  },
  {
    pattern: /is with a provider that is not allowed here/,
    text: 'problem.fieldProviderNotAllowed',
  },
  { pattern: /does not seem to exist/, text: 'problem.fieldDoesNotSeem' },
  {
    pattern: /(?:is not solved|has to be solved by a browser: sign up at .*)/,
    text: 'problem.fieldNotSolved',
  },
  {
    pattern: /(?:has expired|was used before): send the form once more/,
    text: 'problem.fieldExpiredSendForm',
  },
  {
    pattern: /is too short \(minimum is (\d+) characters\)/,
    text: 'problem.fieldTooShortLeast',
  },
  {
    pattern:
      /(?:is too long \(maximum is|have a \S+ that is too long \(maximum is|character limit of) (\d+) (?:characters\)|exceeded)/,
    text: 'problem.fieldTooLongMost',
  },
  {
    pattern: /is below the age limit of (\d+) years/,
    text: 'problem.fieldHaveYearsOld',
  },
  {
    pattern: /is no handle like name@example.org/,
    text: 'problem.fieldNoHandleLike',
  },
  {
    pattern: /(?:would be more than (\d+)|(?:of all filters )?are too many \(maximum is \d+\))/,
    text: 'problem.fieldMoreThanThere',
  },
  {
    pattern: /belongs to the last owner of the server/,
    text: 'problem.fieldAccountBelongsLast',
  },
  {
    pattern: /is this account itself/,
    text: 'problem.fieldAccountItself',
  },
  {
    pattern: /is where this account has moved to already/,
    text: 'problem.fieldAccountHasMoved',
  },
  {
    pattern: /cannot be moved to before .*/,
    text: 'problem.fieldAccountHasMovedLately',
  },
  {
    pattern: /does not name this account .* alias yet/,
    text: 'problem.fieldDoesNotName',
  },
  {
    pattern: /contains values with missing labels/,
    text: 'problem.fieldValueHasNo',
  },
  {
    pattern: /(?:\S+ )?is not a valid domain name/,
    text: 'problem.fieldNotDomainName',
  },
  {
    pattern: /must be 2 to 128 letters, digits and underscores/,
    text: 'problem.field2128Letters',
  },
  {
    pattern: /must be less than (\d+) KB/,
    text: 'problem.fieldLessThanCount',
  },
  {
    pattern: /must be less than (\d+) MB/,
    text: 'problem.fieldLessThanCountMb',
  },
  {
    pattern: /must be PNG, GIF or WebP/,
    text: 'problem.fieldPngGifWeb',
  },
  {
    pattern: /could not be read(?: as a picture)?/,
    text: 'problem.fieldCannotReadPicture',
  },
  {
    pattern: /(?:must be no larger than .* pixels|has too many pixels: .*)/,
    text: 'problem.fieldTooManyPixels',
  },
  {
    pattern: /\S+ is taken: remove that emoji first/,
    text: 'problem.fieldTakenRemoveEmoji',
  },
  {
    pattern: /is no zip file/,
    text: 'problem.fieldNoZipFile',
  },
  {
    pattern: /must hold no more than (\d+) pictures/,
    text: 'problem.fieldMostPictures',
  },
  {
    pattern: /has no picture that can be added/,
    text: 'problem.fieldNoPictureCan',
  },
  {
    pattern: /is too long/,
    text: 'problem.fieldTooLong',
  },
  {
    pattern: /includes the address that you are using/,
    text: 'problem.fieldIncludesAddressUsing',
  },
  {
    pattern: /is on a server that this one does not federate with/,
    text: 'problem.fieldServerOneDoes',
  },
  {
    pattern: /\S+ is no account of this server/,
    text: 'problem.fieldNoAccountServer',
  },
  {
    pattern: /must be today or later/,
    text: 'problem.fieldTodayLater',
  },
  {
    pattern: /must be a followed account/,
    text: 'problem.fieldOnlyAccountsFollow',
  },
  {
    pattern: /is already on the list/,
    text: 'problem.fieldListAlready',
  },
  {
    pattern: /must be JPEG, PNG, GIF or WebP: this server cannot convert pictures/,
    text: 'problem.fieldJpegPngGif',
  },
  {
    pattern: /must have at most .*: this server cannot shrink pictures/,
    text: 'problem.fieldTooLargeServer',
  },
  {
    pattern: /are of posts without media/,
    text: 'problem.fieldPostsWithoutMedia',
  },
  {
    pattern: /is not possible for an account without a sign-in here/,
    text: 'problem.fieldNotPossibleAccount',
  },
  {
    pattern: /is about another account/,
    text: 'problem.fieldAboutAnotherAccount',
  },
  {
    pattern: /are not all of the account/,
    text: 'problem.fieldNotAllBelong',
  },
  {
    pattern: /was not solved by the browser, which needs JavaScript for it/,
    text: 'problem.fieldNotSolvedBrowser',
  },
  {
    pattern: /is a network with too many addresses known here: use a smaller one/,
    text: 'problem.fieldTooManyAddresses',
  },
  {
    pattern: /(?:is this server itself|is that of this server, or a parent of it|is our own)/,
    text: 'problem.fieldServerItself',
  },
  {
    pattern: /is a public suffix, shared by unrelated servers/,
    text: 'problem.fieldSharedByServers',
  },
  {
    pattern:
      /(?:is no address|is not https|is a number|carries credentials|names a port|ends in a dot|has no full host name|is .* host.*)/,
    text: 'problem.fieldNoAddressAnother',
  },
  {
    pattern: /has to be chosen/,
    text: 'problem.fieldChooseLeastOne',
  },
  {
    pattern: /(?:is nobody of this server|was not found at its server)/,
    text: 'problem.fieldNotFound',
  },
]
