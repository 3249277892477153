import type { IpBlockRow } from '../../../domain/sign-up-blocks/ip-blocks'
import type { TextKey } from '../../../lib/translate'

type Words = Readonly<Record<string, TextKey>>

/** Categories of reports. */
export const categoryTexts: Words = {
  spam: 'admin.report.spam',
  legal: 'admin.report.illegalContent',
  violation: 'admin.report.brokenRule',
  other: 'admin.report.otherReason',
}

/** Decisions of moderators, as a strike names them. */
export const actionTexts: Words = {
  none: 'admin.report.warning',
  disable: 'admin.report.accountDisabled',
  mark_statuses_as_sensitive: 'admin.report.postsMarkedSensitive',
  delete_statuses: 'admin.report.postsDeleted',
  sensitive: 'admin.report.mediaMarkedSensitive',
  silence: 'admin.report.limit',
  suspend: 'admin.report.suspension',
}

export const visibilityTexts: Words = {
  public: 'admin.report.public',
  unlisted: 'admin.report.quietPublic',
  private: 'common.followersOnly',
  direct: 'common.mentionedPeopleOnly',
}

/** Texts for the severities of a network block. */
export const ipBlockSeverities = {
  sign_up_requires_approval: 'admin.ipBlocks.signUpsNeedApproval',
  sign_up_block: 'admin.ipBlocks.noSignUp',
  no_access: 'admin.ipBlocks.noAccessAll',
} as const satisfies Readonly<Record<IpBlockRow['severity'], TextKey>>
