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

/** A count in words, `more than` it where not all was counted. */
function countText(t: PageTranslate, { count, isComplete }: BoundedCount): string {
  return isComplete ? t('{count, number}', { count }) : t('more than {count, number}', { count })
}

function reachFacts(t: PageTranslate, reach: Reach): NonNullable<Question['facts']> {
  return [
    [t('Posts and boosts'), countText(t, reach.posts)],
    [t('Followers'), countText(t, reach.followers)],
    [t('Follows'), countText(t, reach.following)],
    [t('Servers of these accounts'), countText(t, reach.servers)],
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
    title: t('Suspend {handle}?', { handle: `@${handleOf(target)}` }),
    effects: [
      isLocal
        ? t('Profile and posts disappear at once, here and on the servers of the followers.')
        : t(
            'Profile and posts disappear here at once, and the account stops following members. These follows do not come back.',
          ),
      t.rich('You can lift the suspension until {day}. Then everything below is deleted for good.', {
        day: <Day at={liftableUntil} />,
      }),
      ...(isLocal && blocksAddress ? [t('The e-mail address cannot sign up again.')] : []),
      ...(isLocal && !isAnnounced ? [t('The person is not notified.')] : []),
    ],
    facts: reachFacts(t, reach),
    button: t('Suspend'),
  })
}

/** Asks about the deletion of posts by a decision. */
export function askPostDeletion({ target, postsCount, collectionsCount }: DeletionPreview): QuestionWords {
  const isLocal = target.domain === null
  return (t) => ({
    title: t('Delete posts of {handle}?', { handle: `@${handleOf(target)}` }),
    effects: [
      isLocal
        ? t('They are deleted here and on other servers, for good: an appeal cannot bring them back.')
        : t('The copies on this server are deleted for good: an appeal cannot bring them back.'),
      t('A strike keeps them as evidence, and stands in the history of the account.'),
    ],
    facts: [
      [t('Posts'), t('{count, number}', { count: postsCount })],
      ...(collectionsCount === 0
        ? []
        : [[t('Collections'), t('{count, number}', { count: collectionsCount })] as const]),
    ],
    button: t('Delete the posts'),
  })
}

/** Asks about the deletion of all data of a suspended account. */
export function askDataDeletion({ target, reach }: AccountPreview): QuestionWords {
  return (t) => ({
    title: t('Delete the data of {handle}?', { handle: `@${handleOf(target)}` }),
    effects: [
      t('Everything the account has here is deleted for good, before the 30 days are over.'),
      t('Nobody can undo this, and no appeal brings anything back.'),
    ],
    facts: reachFacts(t, reach),
    button: t('Delete data'),
  })
}

/** Asks about the removal of a sign-up. */
export function askRejection(target: AccountPreview['target'], sendsMail: boolean): QuestionWords {
  return (t) => ({
    title: t('Reject the sign-up of {handle}?', { handle: `@${handleOf(target)}` }),
    effects: [
      t('The sign-up is removed. The name can be taken again.'),
      sendsMail
        ? t('The person is told by e-mail.')
        : t('This server sends no e-mail: the person is not told.'),
    ],
    button: t('Reject sign-up'),
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
      ? t('Suspend {site}?', { site: domain })
      : t('Fetch no media from {site}?', { site: domain }),
    effects: [
      ...(suspends
        ? [
            t('Its accounts and their posts are hidden, and all follows in both directions end.'),
            t('When the limit is lifted, follows stay ended until they are restored, within 30 days.'),
          ]
        : []),
      ...(deletesMedia ? [t('Pictures and videos from there are deleted here for good.')] : []),
      t('Subdomains are included.'),
    ],
    facts: [
      [t('Accounts known here'), fact(t, accountsCount)],
      [t('Follows by members'), fact(t, followingCount)],
      [t('Follows of members'), fact(t, followersCount)],
    ],
    button: suspends ? t('Suspend the server') : t('Put the limit in force'),
  })
}
