import { message } from '../lib/translate'

export interface Predicate {
  /** End of the English sentence after the name of the field, as Mastodon writes it; the first group is a number. */
  readonly pattern: RegExp
  readonly text: string
}

/** Refusals of a field, without its name. Of two that fit, the first counts. */
export const predicates: readonly Predicate[] = [
  { pattern: /can't be blank/, text: message('{field}: required.') },
  { pattern: /has to be chosen/, text: message('{field}: choose one.') },
  { pattern: /has already been taken/, text: message('{field}: already taken.') },
  { pattern: /is reserved/, text: message('{field}: reserved.') },
  { pattern: /is wrong/, text: message('{field}: wrong.') },
  { pattern: /is wrong or was used before/, text: message('{field}: wrong, or used before.') },
  { pattern: /must be accepted/, text: message('{field}: has to be accepted.') },
  { pattern: /is missing or too long/, text: message('{field}: missing or too long.') },
  {
    pattern: /(?:is not included in the list|is not a supported language|is not offered)/,
    text: message('{field}: not one of those offered.'),
  },
  { pattern: /is not one of those offered/, text: message('{field}: not one of those offered.') },
  {
    pattern:
      /(?:(?:content type )?is invalid|is not a valid hashtag|is not a SHA-256 in hex|is not a day|does not reference valid rules|is not valid|is not a valid e-mail address)/,
    text: message('{field}: not valid.'),
  },
  {
    pattern: /must be a whole number from 1 on, or empty/,
    text: message('{field}: a whole number from 1 on, or empty.'),
  },
  {
    pattern: /belongs to another kind of list, as its first line says/,
    text: message('{field}: this belongs to another kind of list, as its first line says.'),
  },
  { pattern: /has no line that fits/, text: message('{field}: no line that fits.') },
  {
    pattern: /has more than (\d+) lines/,
    text: message('{field}: more than {count, plural, one {# line} other {# lines}}.'),
  },
  {
    pattern: /has to wait: another import is not finished yet/,
    text: message('{field}: has to wait, as another import is not finished yet.'),
  },
  {
    pattern: /(?:doesn't match .*|is not the same\b.*)/,
    text: message('{field}: not the same.'),
  },
  {
    pattern: /must contain only letters, numbers and underscores(?:, 30 at most)?/,
    text: message('{field}: only letters from A to Z, digits and underscores.'),
  },
  {
    pattern: /is with a provider that is not allowed here/,
    text: message('{field}: its provider is not allowed here.'),
  },
  { pattern: /does not seem to exist/, text: message('{field}: does not seem to exist.') },
  {
    pattern: /(?:is not solved|has to be solved by a browser: sign up at .*)/,
    text: message('{field}: not solved.'),
  },
  {
    pattern: /(?:has expired|was used before): send the form once more/,
    text: message('{field}: expired. Send the form once more.'),
  },
  {
    pattern: /is too short \(minimum is (\d+) characters\)/,
    text: message(
      '{field}: too short, {count, plural, one {at least # character} other {at least # characters}}.',
    ),
  },
  {
    pattern:
      /(?:is too long \(maximum is|have a \S+ that is too long \(maximum is|character limit of) (\d+) (?:characters\)|exceeded)/,
    text: message(
      '{field}: too long, {count, plural, one {at most # character} other {at most # characters}}.',
    ),
  },
  {
    pattern: /is below the age limit of (\d+) years/,
    text: message('{field}: you have to be {count, plural, one {# year} other {# years}} old.'),
  },
  {
    pattern: /is no handle like name@example.org/,
    text: message('{field}: no handle like name@example.org.'),
  },
  {
    pattern: /(?:would be more than (\d+)|(?:of all filters )?are too many \(maximum is \d+\))/,
    text: message('{field}: more than there may be.'),
  },
  {
    pattern: /belongs to the last owner of the server/,
    text: message('{field}: the account belongs to the last owner of the server.'),
  },
  {
    pattern: /is this account itself/,
    text: message('{field}: this account itself.'),
  },
  {
    pattern: /is where this account has moved to already/,
    text: message('{field}: this account has moved there already.'),
  },
  {
    pattern: /cannot be moved to before .*/,
    text: message('{field}: this account has moved lately, and has to wait before it moves again.'),
  },
  {
    pattern: /does not name this account .* alias yet/,
    text: message('{field}: does not name this account as an alias yet.'),
  },
  {
    pattern: /contains values with missing labels/,
    text: message('{field}: a value has no label.'),
  },
  {
    pattern: /(?:\S+ )?is not a valid domain name/,
    text: message('{field}: not a domain name.'),
  },
  {
    pattern: /must be 2 to 128 letters, digits and underscores/,
    text: message('{field}: 2 to 128 letters from A to Z, digits and underscores.'),
  },
  {
    pattern: /must be less than (\d+) KB/,
    text: message('{field}: less than {count, number} KB.'),
  },
  {
    pattern: /must be less than (\d+) MB/,
    text: message('{field}: less than {count, number} MB.'),
  },
  {
    pattern: /must be PNG, GIF or WebP/,
    text: message('{field}: PNG, GIF or WebP.'),
  },
  {
    pattern: /could not be read(?: as a picture)?/,
    text: message('{field}: cannot be read as a picture.'),
  },
  {
    pattern: /(?:must be no larger than .* pixels|has too many pixels: .*)/,
    text: message('{field}: too many pixels.'),
  },
  {
    pattern: /\S+ is taken: remove that emoji first/,
    text: message('{field}: taken. Remove that emoji first.'),
  },
  {
    pattern: /is no zip file/,
    text: message('{field}: no zip file.'),
  },
  {
    pattern: /must hold no more than (\d+) pictures/,
    text: message('{field}: at most {count, plural, one {# picture} other {# pictures}}.'),
  },
  {
    pattern: /has no picture that can be added/,
    text: message('{field}: no picture in it can be added.'),
  },
  {
    pattern: /is too long/,
    text: message('{field}: too long.'),
  },
  {
    pattern: /includes the address that you are using/,
    text: message('{field}: includes the address that you are using yourself.'),
  },
  {
    pattern: /is on a server that this one does not federate with/,
    text: message('{field}: on a server that this one does not federate with.'),
  },
  {
    pattern: /\S+ is no account of this server/,
    text: message('{field}: no account of this server.'),
  },
  {
    pattern: /must be today or later/,
    text: message('{field}: today or later.'),
  },
  {
    pattern: /must be a followed account/,
    text: message('{field}: only accounts that you follow.'),
  },
  {
    pattern: /is already on the list/,
    text: message('{field}: on the list already.'),
  },
  {
    pattern: /must be JPEG, PNG, GIF or WebP: this server cannot convert pictures/,
    text: message('{field}: JPEG, PNG, GIF or WebP, as this server cannot convert pictures.'),
  },
  {
    pattern: /must have at most .*: this server cannot shrink pictures/,
    text: message('{field}: too large, as this server cannot shrink pictures.'),
  },
  {
    pattern: /are of posts without media/,
    text: message('{field}: posts without media.'),
  },
  {
    pattern: /is not possible for an account without a sign-in here/,
    text: message('{field}: not possible for an account without a sign-in here.'),
  },
  {
    pattern: /is about another account/,
    text: message('{field}: about another account.'),
  },
  {
    pattern: /are not all of the account/,
    text: message('{field}: not all of them belong to the account.'),
  },
  {
    pattern: /was not solved by the browser, which needs JavaScript for it/,
    text: message('{field}: not solved, as the browser needs JavaScript for it.'),
  },
  {
    pattern: /is a network with too many addresses known here: use a smaller one/,
    text: message('{field}: too many addresses of this network are known here. Use a smaller one.'),
  },
  {
    pattern: /(?:is this server itself|is that of this server, or a parent of it|is our own)/,
    text: message('{field}: this server itself.'),
  },
  {
    pattern: /is a public suffix, shared by unrelated servers/,
    text: message('{field}: shared by servers that have nothing to do with each other.'),
  },
  {
    pattern:
      /(?:is no address|is not https|is a number|carries credentials|names a port|ends in a dot|has no full host name|is .* host.*)/,
    text: message('{field}: no address of another server that can be used.'),
  },
  {
    pattern: /has to be chosen/,
    text: message('{field}: choose at least one.'),
  },
  {
    pattern: /(?:is nobody of this server|was not found at its server)/,
    text: message('{field}: not found.'),
  },
]
