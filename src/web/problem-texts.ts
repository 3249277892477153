import { storedText, type TextKey, type TranslateText } from '../lib/translate'
import { formFieldText } from './field-texts'
import { predicates } from './problem-patterns'

/** Sentences that the domain refuses with, as pages show them in other languages. */
export const sentences: ReadonlyMap<string, TextKey> = new Map<string, TextKey>([
  ['What you chose is too large. Choose a smaller file.', 'form.whatChoseTooLarge'],
  [
    'You were signed out before this was sent. Look through what you typed, and send it once more.',
    'form.signedOutBeforeSent',
  ],
  ['Confirm your password first: it was not asked for some time.', 'problem.confirmPasswordFirstNot'],
  ['Please choose from what is offered', 'problem.pleaseChooseFromWhat'],
  ['Sign-ups are closed', 'problem.signUpsClosed'],
  ['The address to return to is not one the app has registered.', 'problem.addressReturnNotOne'],
  ['The app asks for more than it has registered for.', 'problem.appAsksMoreThan'],
  ['This server does not know that response_mode.', 'problem.serverDoesNotKnow'],
  ['The code challenge method must be S256.', 'problem.codeChallengeMethodMust'],
  ['The code challenge is not a SHA-256 in base64url.', 'problem.codeChallengeNotSha'],
  ['The code could not be sent. Try again later.', 'problem.codeCouldNotSent'],
  ['The passkey was not accepted. Try again.', 'problem.passkeyNotAcceptedTry'],
  ['This account has been suspended.', 'problem.accountHasBeenSuspended'],
  ['This appeal has been decided already', 'problem.appealHasBeenDecided'],
  ['This form has expired. Go back, reload the page and try again.', 'problem.formHasExpiredGo'],
  ['This form was sent from another site', 'problem.formSentFromAnother'],
  ['This invitation no longer works', 'problem.invitationNoLongerWorks'],
  ['This is not an e-mail address.', 'problem.notEmailAddress'],
  ['This link no longer works', 'common.linkNoLongerWorks'],
  ['This passkey does not belong to an account here', 'problem.passkeyDoesNotBelong'],
  ['This passkey is in use already', 'problem.passkeyUseAlready'],
  ['This report was changed at the same time. Look at it again', 'problem.reportChangedSameTime'],
  ['Role does not exist', 'problem.roleDoesNotExist'],
  [
    'This server has nearly used up what it may today. Please come back tomorrow, or sign in',
    'problem.serverHasNearlyUsed',
  ],
  ['This server is busy. Please try again in a moment', 'problem.serverBusyPleaseTry'],
  ['Wrong name or password.', 'problem.wrongNamePassword'],
  ['You can request an archive once in seven days', 'problem.canRequestArchiveOnce'],
  ['You may not invite people', 'problem.mayNotInvitePeople'],
  ['Your browser has not solved the task.', 'problem.browserHasNotSolved'],
  ['Your role requires two-factor authentication.', 'problem.roleRequiresTwoFactor'],
  ['The last owner of a server cannot leave it', 'problem.lastOwnerServerCannot'],
  ['Starts at and ends at go together: give both or neither', 'problem.startsEndsGoTogether'],
  ['Ends at must not be before starts at', 'problem.endsMustNotBefore'],
  ['All day needs the days it begins and ends', 'problem.allDayNeedsDays'],
  [
    'Publish at cannot change: the announcement has been published',
    'problem.publishCannotChangeAnnouncement',
  ],
  ['This version cannot run the message: it can only be dropped', 'problem.versionCannotRunMessage'],
  ['Terms that are or were in force cannot be deleted', 'problem.termsForceCannotDeleted'],
  ['Members were told about these terms already', 'problem.membersToldAboutTerms'],
  ['Terms that are no longer in force cannot be announced', 'problem.termsNoLongerForce'],
  [
    'Members were told about the terms of this day, which therefore cannot be replaced',
    'problem.membersToldAboutTermsDay',
  ],
  ['These posts are marked as sensitive already', 'problem.postsMarkedSensitiveAlready'],
  ['You have appealed against this decision already', 'problem.haveAppealedAgainstDecision'],
  ['The decision has been undone already', 'problem.decisionHasBeenUndone'],
  ['It is too late to appeal against this decision', 'problem.tooLateAppealAgainst'],
  ['The subscription has been ended already', 'problem.subscriptionHasBeenEnded'],
  ['The follows ended more than 30 days ago', 'problem.followsEndedMoreThan'],
  ['The server is suspended: lift that before its follows are restored', 'problem.serverSuspendedLiftBefore'],
  ['The follows are being restored by someone else', 'problem.followsBeingRestoredBy'],
  ['The report has been resolved already', 'problem.reportHasBeenResolved'],
  ['Another moderator has already resolved this report', 'problem.anotherModeratorHasAlready'],
  ['Another moderator has deleted this note', 'problem.anotherModeratorHasDeleted'],
  ['An authenticator app is set up already. Remove it first.', 'problem.authenticatorAppSetUp'],
  ['This status has been posted already', 'problem.statusHasBeenPosted'],
  ['The descriptions of the files are too long for one post', 'problem.descriptionsFilesTooLong'],
  ['Cannot attach a video to a post that already contains images', 'problem.cannotAttachVideoPost'],
  ['Cannot quote a non-mentioned user in a Private Mention post.', 'problem.cannotQuoteNonMentioned'],
  ['A post that stays on this server cannot quote one of another server', 'problem.postStaysServerCannot'],
  ['This address belongs to another account by now', 'problem.addressBelongsAnotherAccount'],
  ['No mail can be sent to this account', 'problem.noMailCanSent'],
  ['Permissions of owners cannot be taken away', 'problem.permissionsOwnersCannotTaken'],
  ['Permissions of everybody cannot be more than to invite', 'problem.permissionsEverybodyCannotMore'],
  ['A time is not valid', 'problem.timeNotValid'],
  ['The parameter client_id is missing.', 'problem.parameterClientIdMissing'],
  ['The app is not known to this server. It has to register again.', 'problem.appNotKnownServer'],
  ['The parameter response_type is missing.', 'problem.parameterResponseTypeMissing'],
  ['This server answers with codes only.', 'problem.serverAnswersCodesOnly'],
])

interface Pattern {
  /** A whole English sentence; the first group is a number. */
  readonly pattern: RegExp
  readonly text: TextKey
}

const patterns: readonly Pattern[] = [
  {
    pattern:
      /^(?:The|These|This|Some|One|It) .*(?:changed|deleted|ended|limited|decided|rotated) (?:by (?:somebody|someone) else(?: at the same time)?|meanwhile|at the same (?:time|moment))$/,
    text: 'problem.somebodyElseHasJust',
  },
  {
    pattern: /^.+ got another role at the same time$/,
    text: 'problem.somebodyElseHasJust',
  },
  {
    pattern:
      /(?:, which is the most|, which is .* there may be|^There are \d+ subscriptions already|^A server has at most \d+ rules|^You cannot have more than \d+ filters|^You have (?:already featured|reached) the maximum number of .*)$/,
    text: 'problem.thereManyThereMay',
  },
  {
    pattern: /^\S+ is \w+ already$/,
    text: 'problem.accountStateAlready',
  },
  {
    pattern: /^\S+ is the last owner of this server/,
    text: 'problem.lastOwnerServerGive',
  },
  {
    pattern: /^You have already imposed stricter limits on /,
    text: 'problem.serverLimitedMoreStrictly',
  },
  {
    pattern: /^Line (\d+): a quotation mark is not closed$/,
    text: 'problem.lineCountQuotationMark',
  },
  {
    pattern: /^You cannot follow more than (\d+) people$/,
    text: 'problem.cannotFollowMoreThan',
  },
  {
    pattern: /^Cannot attach more than (\d+) files$/,
    text: 'problem.postHoldsMostFiles',
  },
  {
    pattern: /^Media .* not found or already attached to another post$/,
    text: 'problem.fileGoneBelongsAnother',
  },
]

/**
 * A refusal of the domain in the language of a page. The domain writes English for the API, in sentences that begin with
 * the API's name of a field: pages say its label. A refusal that is not known here stays as it is.
 */
export function problemText(t: TranslateText, english: string): string {
  if (t.language === 'en') return labelled(t, english)
  const sentence = sentences.get(english)
  if (sentence !== undefined) return t(sentence)
  for (const { pattern, text } of patterns) {
    const found = pattern.exec(english)
    if (found !== null) return t(text, { count: Number(found[1] ?? 0) })
  }
  for (const { pattern, text } of predicates) {
    const found = new RegExp(`^([A-Z][a-z]*(?: [a-z]+)*?) ${pattern.source}\\.?$`).exec(english)
    const [, name] = found ?? []
    if (found === null || name === undefined) continue
    const field = storedText(t, formFieldText(name), name)
    return t(text, { field, count: Number(found[2] ?? 0) })
  }
  return english
}

/** Whether a refusal is a whole sentence, rather than one about a field that it begins with. */
export function isSentence(english: string): boolean {
  return sentences.has(english) || patterns.some(({ pattern }) => pattern.test(english))
}

/** An English refusal with the label of its field. */
function labelled(t: TranslateText, english: string): string {
  if (isSentence(english)) return english
  // The longest name: that of a field may begin with that of another.
  const words = english.split(' ')
  for (let length = words.length - 1; length > 0; length -= 1) {
    const label = formFieldText(words.slice(0, length).join(' '))
    if (label !== null) return [t(label), ...words.slice(length)].join(' ')
  }
  return english
}
