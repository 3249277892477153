import { message, type TranslateText } from '../lib/translate'
import { formFieldText } from './field-texts'
import { predicates } from './problem-patterns'

/** Sentences that the domain refuses with, as pages show them in other languages. */
export const sentences: ReadonlySet<string> = new Set([
  message('Confirm your password first: it was not asked for some time.'),
  message('Please choose from what is offered'),
  message('Sign-ups are closed'),
  message('The address to return to is not one the app has registered.'),
  message('The app asks for more than it has registered for.'),
  message('This server does not know that response_mode.'),
  message('The code challenge method must be S256.'),
  message('The code challenge is not a SHA-256 in base64url.'),
  message('The code could not be sent. Try again later.'),
  message('The passkey was not accepted. Try again.'),
  message('This account has been suspended.'),
  message('This appeal has been decided already'),
  message('This form has expired. Go back, reload the page and try again.'),
  message('This form was sent from another site'),
  message('This invitation no longer works'),
  message('This is not an e-mail address.'),
  message('This link no longer works'),
  message('This passkey does not belong to an account here'),
  message('This passkey is in use already'),
  message('This report was changed at the same time. Look at it again'),
  message('Role does not exist'),
  message('This server has nearly used up what it may today. Please come back tomorrow, or sign in'),
  message('This server is busy. Please try again in a moment'),
  message('Wrong name or password.'),
  message('You can request an archive once in seven days'),
  message('You may not invite people'),
  message('Your browser has not solved the task.'),
  message('Your role requires two-factor authentication.'),
  message('The last owner of a server cannot leave it'),
  message('Starts at and ends at go together: give both or neither'),
  message('Ends at must not be before starts at'),
  message('All day needs the days it begins and ends'),
  message('Publish at cannot change: the announcement has been published'),
  message('This version cannot run the message: it can only be dropped'),
  message('Terms that are or were in force cannot be deleted'),
  message('Members were told about these terms already'),
  message('Terms that are no longer in force cannot be announced'),
  message('Members were told about the terms of this day, which therefore cannot be replaced'),
  message('These posts are marked as sensitive already'),
  message('You have appealed against this decision already'),
  message('The decision has been undone already'),
  message('It is too late to appeal against this decision'),
  message('The subscription has been ended already'),
  message('The follows ended more than 30 days ago'),
  message('The server is suspended: lift that before its follows are restored'),
  message('The follows are being restored by someone else'),
  message('The report has been resolved already'),
  message('Another moderator has already resolved this report'),
  message('Another moderator has deleted this note'),
  message('An authenticator app is set up already. Remove it first.'),
  message('This status has been posted already'),
  message('The descriptions of the files are too long for one post'),
  message('Cannot attach a video to a post that already contains images'),
  message('Cannot quote a non-mentioned user in a Private Mention post.'),
  message('A post that stays on this server cannot quote one of another server'),
  message('This address belongs to another account by now'),
  message('No mail can be sent to this account'),
  message('Permissions of owners cannot be taken away'),
  message('Permissions of everybody cannot be more than to invite'),
  message('A time is not valid'),
  message('The parameter client_id is missing.'),
  message('The app is not known to this server. It has to register again.'),
  message('The parameter response_type is missing.'),
  message('This server answers with codes only.'),
])

interface Pattern {
  /** A whole English sentence; the first group is a number. */
  readonly pattern: RegExp
  readonly text: string
}

const patterns: readonly Pattern[] = [
  {
    pattern:
      /^(?:The|These|This|Some|One|It) .*(?:changed|deleted|ended|limited|decided|rotated) (?:by (?:somebody|someone) else(?: at the same time)?|meanwhile|at the same (?:time|moment))$/,
    text: message('Somebody else has just changed this. Have another look.'),
  },
  {
    pattern: /^.+ got another role at the same time$/,
    text: message('Somebody else has just changed this. Have another look.'),
  },
  {
    pattern:
      /(?:, which is the most|, which is .* there may be|^There are \d+ subscriptions already|^A server has at most \d+ rules|^You cannot have more than \d+ filters|^You have (?:already featured|reached) the maximum number of .*)$/,
    text: message('There are as many of these as there may be.'),
  },
  {
    pattern: /^\S+ is \w+ already$/,
    text: message('The account is in this state already.'),
  },
  {
    pattern: /^\S+ is the last owner of this server/,
    text: message('This is the last owner of the server: give somebody else that role first.'),
  },
  {
    pattern: /^You have already imposed stricter limits on /,
    text: message('This server is limited more strictly already.'),
  },
  {
    pattern: /^Line (\d+): a quotation mark is not closed$/,
    text: message('Line {count, number}: a quotation mark is not closed.'),
  },
  {
    pattern: /^You cannot follow more than (\d+) people$/,
    text: message('You cannot follow more than {count, plural, one {# account} other {# accounts}}.'),
  },
  {
    pattern: /^Cannot attach more than (\d+) files$/,
    text: message('A post holds at most {count, plural, one {# file} other {# files}}.'),
  },
  {
    pattern: /^Media .* not found or already attached to another post$/,
    text: message('A file is gone, or belongs to another post by now.'),
  },
]

/**
 * A refusal of the domain in the language of a page. The domain writes English for the API, in sentences that begin with
 * the API's name of a field: pages say its label. A refusal that is not known here stays as it is.
 */
export function problemText(t: TranslateText, english: string): string {
  if (t.language === 'en') return labelled(english)
  if (sentences.has(english)) return t(english)
  for (const { pattern, text } of patterns) {
    const found = pattern.exec(english)
    if (found !== null) return t(text, { count: Number(found[1] ?? 0) })
  }
  for (const { pattern, text } of predicates) {
    const found = new RegExp(`^([A-Z][a-z]*(?: [a-z]+)*?) ${pattern.source}\\.?$`).exec(english)
    const [, name] = found ?? []
    if (found === null || name === undefined) continue
    const field = t(formFieldText(name) ?? name)
    return t(text, { field, count: Number(found[2] ?? 0) })
  }
  return english
}

/** Whether a refusal is a whole sentence, rather than one about a field that it begins with. */
export function isSentence(english: string): boolean {
  return sentences.has(english) || patterns.some(({ pattern }) => pattern.test(english))
}

/** An English refusal with the label of its field. */
function labelled(english: string): string {
  if (isSentence(english)) return english
  // The longest name: that of a field may begin with that of another.
  const words = english.split(' ')
  for (let length = words.length - 1; length > 0; length -= 1) {
    const label = formFieldText(words.slice(0, length).join(' '))
    if (label !== null) return [label, ...words.slice(length)].join(' ')
  }
  return english
}
