import { handleOf } from '../../../domain/moderation/find-target'
import type {
  AccountPreview,
  BoundedCount,
  DeletionPreview,
  previewSuspension,
  Reach,
} from '../../../domain/moderation/preview-acts'
import type { LimitEffects } from '../../../domain/moderation/preview-effects'
import type { PageTranslate } from '../../i18n/context'
import type { Question, QuestionWords } from '../../member-pages/question'
import { Day } from '../day'

/** A count as text, with `more than` where counting stopped. */
function countText(t: PageTranslate, { count, isComplete }: BoundedCount): string {
  return isComplete ? t('common.count', { count }) : t('admin.confirm.moreThanCount', { count })
}

function reachFacts(t: PageTranslate, reach: Reach): NonNullable<Question['facts']> {
  return [
    [t('admin.confirm.postsAndBoosts'), countText(t, reach.posts)],
    [t('field.followers'), countText(t, reach.followers)],
    [t('admin.follows'), countText(t, reach.following)],
    [t('admin.confirm.serversAccounts'), countText(t, reach.servers)],
  ]
}

interface SuspensionChoices {
  readonly blocksAddress: boolean
  readonly isAnnounced: boolean
}

/** Asks about the suspension of an account. */
export function askSuspension(
  { target, reach, liftableUntil }: Awaited<ReturnType<typeof previewSuspension>>,
  { blocksAddress, isAnnounced }: SuspensionChoices,
): QuestionWords {
  const isLocal = target.domain === null
  return (t) => ({
    title: t('admin.confirm.suspendHandle', { handle: `@${handleOf(target)}` }),
    effects: [
      isLocal ? t('admin.confirm.profilePostsDisappearOnce') : t('admin.confirm.profilePostsDisappearHere'),
      t.rich('admin.confirm.canLiftSuspensionUntil', {
        day: <Day at={liftableUntil} />,
      }),
      ...(isLocal && blocksAddress ? [t('admin.confirm.emailAddressCannotSign')] : []),
      ...(isLocal && !isAnnounced ? [t('admin.confirm.personNotNotified')] : []),
    ],
    facts: reachFacts(t, reach),
    button: t('admin.suspend'),
  })
}

/** Asks about the deletion of posts by a decision. */
export function askPostDeletion({ target, postsCount, collectionsCount }: DeletionPreview): QuestionWords {
  const isLocal = target.domain === null
  return (t) => ({
    title: t('admin.confirm.deletePostsHandle', { handle: `@${handleOf(target)}` }),
    effects: [
      isLocal ? t('admin.confirm.deletedHereOtherServers') : t('admin.confirm.copiesServerDeletedGood'),
      t('admin.strikeKeepsEvidenceStands'),
    ],
    facts: [
      [t('field.posts'), t('common.count', { count: postsCount })],
      ...(collectionsCount === 0
        ? []
        : [[t('field.collections'), t('common.count', { count: collectionsCount })] as const]),
    ],
    button: t('admin.deleteThePosts'),
  })
}

/** Asks about the deletion of all data of a suspended account. */
export function askDataDeletion({ target, reach }: AccountPreview): QuestionWords {
  return (t) => ({
    title: t('admin.confirm.deleteDataHandle', { handle: `@${handleOf(target)}` }),
    effects: [t('admin.confirm.everythingAccountHasHere'), t('admin.confirm.nobodyCanUndoNo')],
    facts: reachFacts(t, reach),
    button: t('admin.confirm.deleteData'),
  })
}

/** Asks about the removal of a sign-up. */
export function askRejection(target: AccountPreview['target'], sendsMail: boolean): QuestionWords {
  return (t) => ({
    title: t('admin.confirm.rejectSignUpHandle', { handle: `@${handleOf(target)}` }),
    effects: [
      t('admin.confirm.signUpRemovedName'),
      sendsMail ? t('admin.confirm.personToldByEmail') : t('admin.confirm.serverSendsNoEmail'),
    ],
    button: t('admin.confirm.rejectSignUp'),
  })
}

interface NewLimit {
  readonly domain: string
  readonly effects: LimitEffects
  readonly suspends: boolean
  readonly deletesMedia: boolean
}

/** Asks about a limit that ends follows or deletes media. */
export function askLimit({ domain, effects, suspends, deletesMedia }: NewLimit): QuestionWords {
  const { accountsCount, followingCount, followersCount, isComplete } = effects
  const fact = (t: PageTranslate, count: number) => countText(t, { count, isComplete })
  return (t) => ({
    title: suspends
      ? t('admin.confirm.suspendSite', { site: domain })
      : t('admin.confirm.fetchNoMediaFrom', { site: domain }),
    effects: [
      ...(suspends
        ? [t('admin.confirm.accountsPostsHiddenAll'), t('admin.confirm.whenLimitLiftedFollows')]
        : []),
      ...(deletesMedia ? [t('admin.confirm.picturesVideosFromThere')] : []),
      t('admin.confirm.subdomainsAreIncluded'),
    ],
    facts: [
      [t('admin.accountsKnownHere'), fact(t, accountsCount)],
      [t('admin.followsByMembers'), fact(t, followingCount)],
      [t('admin.followsOfMembers'), fact(t, followersCount)],
    ],
    button: suspends ? t('admin.confirm.suspendTheServer') : t('admin.applyLimit'),
  })
}
