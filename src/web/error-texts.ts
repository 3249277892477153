import type { fieldErrors, formErrors, requestErrors } from '../errors/codes'
import { type ErrorCode, humanName, type Problem, wordsOf } from '../errors/sentences'
import { problemIn } from '../errors/stored-words'
import { storedText, type TextKey, type TranslateText } from '../lib/translate'
import { formFieldText } from './field-texts'

/** Codes of the errors that pages have texts for. */
type PageErrorCode = keyof typeof fieldErrors | keyof typeof formErrors | keyof typeof requestErrors

/** Text of a page with values. */
interface PageText {
  readonly text: TextKey
  readonly values: Readonly<Record<string, string | number>>
}

/** Error that a page shows: a problem that the domain found, or a text of the page. */
export type PageError = Problem | PageText | TextKey

/** Texts of errors; `field` is the label of the field, `count` the number among the values. */
const errorTexts: Readonly<Record<PageErrorCode, TextKey>> = {
  // Of fields.
  blank: 'problem.fieldRequired',
  not_chosen: 'problem.fieldChooseOne',
  taken: 'problem.fieldAlreadyTaken',
  reserved: 'problem.fieldReserved',
  wrong: 'problem.fieldWrong',
  wrong_or_used: 'problem.fieldWrongUsedBefore',
  not_accepted: 'problem.fieldHasAccepted',
  missing_or_too_long: 'problem.fieldMissingTooLong',
  not_in_list: 'problem.fieldNotOneOffered',
  not_offered: 'problem.fieldNotOneOffered',
  unsupported_language: 'problem.fieldNotOneOffered',
  invalid: 'problem.fieldNotValid',
  invalid_content_type: 'problem.fieldNotValid',
  invalid_hashtag: 'problem.fieldNotValid',
  invalid_email: 'problem.fieldNotValid',
  invalid_network: 'problem.fieldNotValid',
  invalid_template: 'problem.fieldTemplateLine',
  no_token_on_line: 'problem.fieldTemplateLine',
  low_contrast: 'problem.fieldLowContrast',
  forbidden_css: 'problem.fieldForbiddenCss',
  unreadable_css: 'problem.fieldUnreadableCss',
  not_sha256: 'problem.fieldNotValid',
  not_a_day: 'problem.fieldNotValid',
  unknown_rules: 'problem.fieldNotValid',
  invalid_domain: 'problem.fieldNotDomainName',
  invalid_domain_on_line: 'problem.fieldLineNotDomain',
  not_positive_or_empty: 'problem.fieldWholeNumberFrom',
  other_kind_of_list: 'problem.fieldBelongsAnotherKind',
  no_usable_line: 'problem.fieldNoLineFits',
  too_many_lines: 'problem.fieldMoreThanLines',
  import_unfinished: 'problem.fieldHasWaitAnother',
  passwords_differ: 'problem.fieldNotSame',
  invalid_username: 'problem.fieldOnlyLettersFrom',
  invalid_username_block: 'problem.fieldOnlyLettersFrom',
  blocked_provider: 'problem.fieldProviderNotAllowed',
  unreachable_email: 'problem.fieldDoesNotSeem',
  challenge_missing: 'problem.fieldNotSolvedBrowser',
  challenge_wrong: 'problem.fieldNotSolved',
  challenge_expired: 'problem.fieldExpiredSendForm',
  challenge_used: 'problem.fieldExpiredSendForm',
  too_short: 'problem.fieldTooShortLeast',
  too_long: 'problem.fieldTooLongMost',
  part_too_long: 'problem.fieldTooLongMost',
  status_too_long: 'problem.fieldTooLongMost',
  too_far_away: 'problem.fieldTooLong',
  too_many: 'problem.fieldTooMany',
  too_many_in_all: 'problem.fieldTooMany',
  too_many_aliases: 'problem.fieldTooMany',
  below_age_limit: 'problem.fieldHaveYearsOld',
  no_handle: 'problem.fieldNoHandleLike',
  unknown_member: 'problem.fieldNotFound',
  unknown_remote: 'problem.fieldNotFound',
  own_account: 'problem.fieldAccountItself',
  moved_there_already: 'problem.fieldAccountHasMoved',
  moved_recently: 'problem.fieldAccountHasMovedLately',
  lacks_alias: 'problem.fieldDoesNotName',
  of_last_owner: 'problem.fieldAccountBelongsLast',
  missing_labels: 'problem.fieldValueHasNo',
  invalid_shortcode: 'problem.field2128Letters',
  shortcode_taken: 'problem.fieldTakenRemoveEmoji',
  over_kilobytes: 'problem.fieldLessThanCount',
  over_megabytes: 'problem.fieldLessThanCountMb',
  no_emoji_picture: 'problem.fieldPngGifWeb',
  unreadable: 'problem.fieldCannotReadPicture',
  unreadable_picture: 'problem.fieldCannotReadPicture',
  over_pixels: 'problem.fieldTooManyPixels',
  too_many_pixels: 'problem.fieldTooManyPixels',
  inconvertible_picture: 'problem.fieldJpegPngGif',
  unshrinkable_picture: 'problem.fieldTooLargeServer',
  no_zip: 'problem.fieldNoZipFile',
  too_many_pictures: 'problem.fieldMostPictures',
  no_usable_picture: 'problem.fieldNoPictureCan',
  own_network: 'problem.fieldIncludesAddressUsing',
  too_many_addresses: 'problem.fieldTooManyAddresses',
  not_federated: 'problem.fieldServerOneDoes',
  no_local_account: 'problem.fieldNoAccountServer',
  day_passed: 'problem.fieldTodayLater',
  not_followed: 'problem.fieldOnlyAccountsFollow',
  on_list_already: 'problem.fieldListAlready',
  without_media: 'problem.fieldPostsWithoutMedia',
  without_sign_in: 'problem.fieldNotPossibleAccount',
  of_other_account: 'problem.fieldAboutAnotherAccount',
  of_other_accounts: 'problem.fieldNotAllBelong',
  this_server: 'problem.fieldServerItself',
  own_domain: 'problem.fieldServerItself',
  public_suffix: 'problem.fieldSharedByServers',
  no_address: 'problem.fieldNoAddressAnother',
  address_with_credentials: 'problem.fieldNoAddressAnother',
  address_not_https: 'problem.fieldNoAddressAnother',
  address_with_port: 'problem.fieldNoAddressAnother',
  own_address: 'problem.fieldServerItself',
  address_by_number: 'problem.fieldNoAddressAnother',
  address_with_final_dot: 'problem.fieldNoAddressAnother',
  address_without_host: 'problem.fieldNoAddressAnother',
  private_address: 'problem.fieldNoAddressAnother',
  no_public_address: 'problem.fieldNoAddressAnother',
  out_of_bounds: 'problem.fieldBetween',
  out_of_bounds_seconds: 'problem.fieldNotValid',
  no_integer: 'problem.fieldBetween',
  no_boolean: 'problem.fieldNotValid',
  not_one_of: 'problem.fieldNotOneOffered',
  too_many_entries: 'problem.fieldTooMany',
  no_list: 'problem.fieldNotValid',
  no_text: 'problem.fieldNotValid',
  entry_blank: 'problem.fieldRequired',
  entry_too_long: 'problem.fieldTooLongMost',
  entry_invalid: 'problem.fieldNotValid',
  entry_no_text: 'problem.fieldNotValid',
  entry_unknown_account: 'problem.fieldNotFound',
  translation_blank: 'problem.fieldRequired',
  translation_too_long: 'problem.fieldTooLongMost',
  translation_language: 'problem.fieldNotValid',
  address_too_long: 'problem.fieldTooLong',
  // Of forms.
  last_owner_leaves: 'problem.lastOwnerServerCannot',
  half_a_span: 'problem.startsEndsGoTogether',
  ends_before_start: 'problem.endsMustNotBefore',
  all_day_without_days: 'problem.allDayNeedsDays',
  published_already: 'problem.publishCannotChangeAnnouncement',
  invalid_time: 'problem.timeNotValid',
  unknown_message: 'problem.versionCannotRunMessage',
  terms_in_force: 'problem.termsForceCannotDeleted',
  terms_replaced: 'problem.termsNoLongerForce',
  terms_announced: 'problem.membersToldAboutTermsDay',
  strike_undone: 'problem.decisionHasBeenUndone',
  appeal_too_late: 'problem.tooLateAppealAgainst',
  appealed_already: 'problem.haveAppealedAgainstDecision',
  media_too_described: 'problem.descriptionsFilesTooLong',
  quote_needs_mention: 'problem.cannotQuoteNonMentioned',
  no_mail_address: 'problem.noMailCanSent',
  owners_keep_permissions: 'problem.permissionsOwnersCannotTaken',
  base_role_permissions: 'problem.permissionsEverybodyCannotMore',
  unknown_role: 'problem.roleDoesNotExist',
  too_many_follows: 'problem.cannotFollowMoreThan',
  too_many_roles: 'problem.most',
  too_many_relays: 'problem.most',
  too_many_username_blocks: 'problem.most',
  too_many_webhooks: 'problem.most',
  too_many_subscriptions: 'problem.most',
  too_many_rules: 'problem.most',
  too_many_filters: 'problem.most',
  too_many_saved_replies: 'problem.most',
  too_many_featured_tags: 'problem.thereManyThereMay',
  too_many_lists: 'problem.thereManyThereMay',
  // Of anything else.
  code_not_sent: 'problem.codeCouldNotSent',
  passkey_refused: 'problem.passkeyNotAcceptedTry',
  passkey_unknown: 'problem.passkeyDoesNotBelong',
  passkey_taken: 'problem.passkeyUseAlready',
  too_many_passkeys: 'problem.most',
  account_suspended: 'problem.accountHasBeenSuspended',
  appeal_decided: 'problem.appealHasBeenDecided',
  other_account: 'accounts.anotherIsActive',
  too_many_accounts: 'accounts.mostAtOnce',
  form_expired: 'problem.formHasExpiredGo',
  cross_site_form: 'problem.formSentFromAnother',
  invitation_used_up: 'problem.invitationNoLongerWorks',
  link_used_up: 'common.linkNoLongerWorks',
  sign_ups_closed: 'problem.signUpsClosed',
  may_not_invite: 'problem.mayNotInvitePeople',
  quota_spent: 'problem.serverHasNearlyUsed',
  overloaded: 'problem.serverBusyPleaseTry',
  archive_too_soon: 'problem.canRequestArchiveOnce',
  report_changed: 'problem.reportChangedSameTime',
  report_resolved: 'problem.reportHasBeenResolved',
  report_resolved_by_other: 'problem.anotherModeratorHasAlready',
  note_deleted: 'problem.anotherModeratorHasDeleted',
  members_told: 'problem.membersToldAboutTerms',
  already_sensitive: 'problem.postsMarkedSensitiveAlready',
  subscription_ended: 'problem.subscriptionHasBeenEnded',
  follows_too_old: 'problem.followsEndedMoreThan',
  server_suspended: 'problem.serverSuspendedLiftBefore',
  follows_being_restored: 'problem.followsBeingRestoredBy',
  totp_exists: 'problem.authenticatorAppSetUp',
  posted_already: 'problem.statusHasBeenPosted',
  video_with_images: 'problem.cannotAttachVideoPost',
  too_many_files: 'problem.postHoldsMostFiles',
  media_gone: 'problem.fileGoneBelongsAnother',
  local_only_quote: 'problem.postStaysServerCannot',
  address_taken: 'problem.addressBelongsAnotherAccount',
  account_in_state: 'problem.accountStateAlready',
  last_owner: 'problem.lastOwnerServerGive',
  stricter_limit: 'problem.serverLimitedMoreStrictly',
  unclosed_quote: 'problem.lineCountQuotationMark',
  announcement_changed: 'problem.somebodyElseHasJust',
  archive_import_deleted: 'problem.somebodyElseHasJust',
  emoji_changed: 'problem.somebodyElseHasJust',
  block_changed: 'problem.somebodyElseHasJust',
  relay_changed: 'problem.somebodyElseHasJust',
  rules_changed: 'problem.somebodyElseHasJust',
  rule_changed: 'problem.somebodyElseHasJust',
  settings_changed: 'problem.somebodyElseHasJust',
  terms_changed: 'problem.somebodyElseHasJust',
  file_changed: 'problem.somebodyElseHasJust',
  collection_changed: 'problem.somebodyElseHasJust',
  strike_overruled: 'problem.somebodyElseHasJust',
  changes_decided: 'problem.somebodyElseHasJust',
  post_deleted: 'problem.somebodyElseHasJust',
  domain_limited: 'problem.somebodyElseHasJust',
  limit_changed: 'problem.somebodyElseHasJust',
  post_changed: 'problem.somebodyElseHasJust',
  preset_changed: 'problem.somebodyElseHasJust',
  scheduled_post_changed: 'problem.somebodyElseHasJust',
  setting_changed: 'problem.somebodyElseHasJust',
  invitation_ended: 'problem.somebodyElseHasJust',
  role_given: 'problem.somebodyElseHasJust',
  role_changed: 'problem.somebodyElseHasJust',
  secret_rotated: 'problem.somebodyElseHasJust',
  webhook_changed: 'problem.somebodyElseHasJust',
  hashtag_changed: 'problem.somebodyElseHasJust',
  profile_changed: 'problem.somebodyElseHasJust',
  scheduled_already: 'problem.statusScheduledAlready',
  oauth_no_client: 'problem.parameterClientIdMissing',
  oauth_unknown_client: 'problem.appNotKnownServer',
  oauth_unknown_redirect: 'problem.addressReturnNotOne',
  oauth_no_response_type: 'problem.parameterResponseTypeMissing',
  oauth_response_type: 'problem.serverAnswersCodesOnly',
  oauth_response_mode: 'problem.serverDoesNotKnow',
  oauth_scopes: 'problem.appAsksMoreThan',
  oauth_challenge_method: 'problem.codeChallengeMethodMust',
  oauth_challenge: 'problem.codeChallengeNotSha',
}

/** An error in the language of a page, with the label of its field. Errors of apps stay in the words of the API. */
export function errorText(t: TranslateText, error: PageError): string {
  if (typeof error === 'string') return t(error)
  if ('text' in error) return t(error.text, error.values)
  return problemText(t, error, labelOf(t, error.values))
}

/**
 * Problems for a program that names fields itself, such as the command line: the code, the name that the API has for the
 * field, and the sentence of pages with `{field}` where the name of the field belongs.
 */
export function describeProblems(t: TranslateText, problems: readonly Problem[]) {
  return problems.map((one) => ({
    code: one.code,
    field: one.values['field'] ?? null,
    sentence: problemText(t, one, withPart('{field}', one.values)),
  }))
}

function problemText(t: TranslateText, problem: Problem, field: string): string {
  const { code, values } = problem
  if (!hasText(code)) return wordsOf(problem, values['field'] === undefined ? '' : field)
  const { entry, ...counted } = values
  const count = Number(Object.values(counted).find((value) => Number(value) > 0) ?? 0)
  return t(errorTexts[code], { ...values, field, count })
}

/** An error that was stored in the words of the API, likewise. Words that no error has stay as they are. */
export function storedErrorText(t: TranslateText, words: string): string {
  const found = problemIn(words)
  return found === null ? words : errorText(t, found)
}

/** Whether errors of a form name the field. */
export function isAbout(
  { form }: { readonly form?: PageError | readonly PageError[] },
  field: string,
): boolean {
  return [form].flat().some((one) => typeof one === 'object' && one.values['field'] === field)
}

function hasText(code: ErrorCode): code is PageErrorCode {
  return Object.hasOwn(errorTexts, code)
}

/** Label of the field that an error is about, with the entry of a list or the language of a translation. */
function labelOf(t: TranslateText, values: Problem['values']): string {
  if (values['field'] === undefined) return ''
  const name = String(values['field'])
  return withPart(storedText(t, formFieldText(name), humanName(name)), values)
}

function withPart(label: string, { entry, language }: Problem['values']): string {
  const part = entry ?? language
  return part === undefined ? label : `${label} (${part})`
}
