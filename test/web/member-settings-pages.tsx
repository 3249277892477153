import { pushAlerts } from '../../src/contract/notification-kinds'
import { problem } from '../../src/errors/sentences'
import { FilterPage, FiltersPage } from '../../src/web/components/settings/filters-view'
import { ListPage, ListsPage } from '../../src/web/components/settings/lists-view'
import { ProfilePage } from '../../src/web/components/settings/profile-view'
import { SavedRepliesPage, SavedReplyPage } from '../../src/web/components/settings/saved-replies-view'
import { ShownLessPage } from '../../src/web/components/settings/shown-less-view'
import { StartPage } from '../../src/web/components/settings/start-view'
import { AppearancePage } from '../../src/web/pages/settings/appearance'
import { BlocksPage } from '../../src/web/pages/settings/blocks'
import { BrowserPushPage } from '../../src/web/pages/settings/browser-push'
import { FeaturedTagsPage } from '../../src/web/pages/settings/featured-tags'
import { FollowedTagsPage } from '../../src/web/pages/settings/followed-tags'
import { WhoNotifiesPage } from '../../src/web/pages/settings/who-notifies'
import type { AccountSummary } from '../../src/web/site'
import { Shown } from '../support/shown'
import type { NamedPage, StrangersWords } from './every-page'

interface Frame {
  readonly viewer: AccountSummary
}

/** Pages of profile, filters, lists and the like, in the states that look different. */
export function memberSettingsPages(
  { displayName, reason }: StrangersWords,
  frame: Frame,
): readonly NamedPage[] {
  const noErrors = {}
  const page = { ...frame, errors: noErrors, message: null }
  const typed = () => ''
  const now = new Date('2026-11-23T10:00:00Z')
  const line = { id: '1', account: frame.viewer }
  const shownFacts = {
    showReblogs: false,
    showReplies: false,
    fewer: true,
    languages: ['de', 'en'],
    mutingExpiresAt: null,
  }
  const chosenLook = {
    theme: 'dark',
    palette: 'sepia',
    contrast: 'more',
    textSize: '125',
    media: 'hide_all',
    opensWarnings: false,
    playsGifs: false,
  } as const
  const profile = {
    displayName,
    note: reason,
    avatarDescription: reason,
    headerDescription: '',
    fields: [1, 2, 3, 4].map((row) => ({
      name: row === 1 ? displayName : '',
      value: row === 1 ? reason : '',
    })),
    locked: true,
    bot: false,
    discoverable: true,
    indexable: false,
    hideCollections: false,
    attributionDomains: reason,
  }
  const filter = {
    id: 1,
    title: displayName,
    contexts: ['home', 'thread'] as const,
    action: 'warn' as const,
    expiresAt: new Date('2026-11-24T10:00:00Z'),
    keywords: [{ id: 2, keyword: reason, wholeWord: true }],
    statuses: [{ id: 3, statusId: 4 }],
  }
  const filterValues = {
    title: displayName,
    action: 'warn' as const,
    contexts: filter.contexts,
    end: 'keep',
    keywords: reason,
    wholeWord: true,
  }
  const list = {
    id: 1,
    accountId: 2,
    title: displayName,
    repliesPolicy: 'list',
    exclusive: true,
    createdAt: now,
  } as const
  const refused = {
    fields: {
      title: [problem('blank', { field: 'title' })],
      contexts: [problem('not_chosen', { field: 'contexts' })],
    },
  }
  const pushed = { alerts: { mention: true, poll: true }, policy: 'followed' as const }
  return [
    ...[null, pushed].map((chosen) => ({
      name: chosen === null ? 'settings-push-off' : 'settings-push-on',
      page: <Shown of={BrowserPushPage} {...page} chosen={chosen} serverKey="BKey" offered={pushAlerts} />,
    })),
    {
      name: 'settings-profile',
      page: (
        <Shown
          of={ProfilePage}
          {...page}
          values={profile}
          avatarUrl="/assets/avatar.webp"
          headerUrl={null}
          verified={[reason]}
        />
      ),
    },
    {
      name: 'settings-profile-refused',
      page: (
        <Shown
          of={ProfilePage}
          {...page}
          values={profile}
          avatarUrl={null}
          headerUrl="/assets/header.webp"
          verified={[]}
          errors={{
            fields: {
              fields: [problem('missing_labels', { field: 'fields' })],
              avatar: [problem('invalid', { field: 'avatar' })],
            },
          }}
        />
      ),
    },
    {
      name: 'start',
      page: (
        <Shown
          of={StartPage}
          {...page}
          isActive
          displayName={displayName}
          note=""
          avatarUrl={null}
          people={[line]}
        />
      ),
    },
    {
      name: 'appearance',
      page: <Shown of={AppearancePage} {...page} locale="pl" timeZone="Europe/Berlin" look={chosenLook} />,
    },
    {
      name: 'featured-tags',
      page: (
        <Shown
          of={FeaturedTagsPage}
          {...page}
          typed=""
          featured={[{ id: 1, name: 'owls', count: 3 }]}
          suggested={['birds']}
        />
      ),
    },
    {
      name: 'followed-tags',
      page: (
        <Shown
          of={FollowedTagsPage}
          {...page}
          typed=""
          names={['owls']}
          olderUrl="/settings/followed_tags?max_id=1"
        />
      ),
    },
    {
      name: 'filters',
      page: (
        <Shown
          of={FiltersPage}
          {...page}
          values={filterValues}
          filters={[filter]}
          now={now}
          returnTo=""
          isOpen={false}
        />
      ),
    },
    {
      name: 'filters-refused',
      page: (
        <Shown
          of={FiltersPage}
          {...page}
          errors={refused}
          values={filterValues}
          filters={[]}
          now={now}
          returnTo=""
          isOpen
        />
      ),
    },
    {
      name: 'filter',
      page: <Shown of={FilterPage} {...page} values={filterValues} filter={filter} now={now} />,
    },
    {
      name: 'saved-replies',
      page: <Shown of={SavedRepliesPage} {...page} replies={[{ id: 1, name: 'Welcome', text: 'Hello!' }]} />,
    },
    {
      name: 'saved-reply',
      page: <Shown of={SavedReplyPage} {...page} reply={{ id: 1, name: 'Welcome', text: 'Hello!' }} />,
    },
    { name: 'lists', page: <Shown of={ListsPage} {...page} typed={typed} lists={[list]} /> },
    {
      name: 'list',
      page: <Shown of={ListPage} {...page} typed={typed} list={list} members={[line]} olderUrl={null} />,
    },
    {
      name: 'blocks',
      page: (
        <Shown
          of={BlocksPage}
          {...page}
          typed=""
          blocked={[line]}
          moreBlocked={null}
          muted={[{ ...line, until: now }]}
          moreMuted="/settings/blocks?muted=1"
          domains={['spam.example']}
          moreDomains={null}
        />
      ),
    },
    {
      name: 'shown-less',
      page: (
        <Shown
          of={ShownLessPage}
          {...page}
          snoozed={[{ ...line, facts: { ...shownFacts, mutingExpiresAt: now } }]}
          moreSnoozed={null}
          quieter={[{ ...line, facts: shownFacts }]}
          moreQuieter="/settings/shown_less?accounts=1"
          tags={[{ name: 'owls', snoozedUntil: now, fewer: true }]}
          moreTags={null}
        />
      ),
    },
    {
      name: 'who-notifies',
      page: (
        <Shown
          of={WhoNotifiesPage}
          {...frame}
          message={null}
          policy={{
            notFollowing: 'accept',
            notFollowers: 'filter',
            newAccounts: 'drop',
            privateMentions: 'filter',
            limitedAccounts: 'filter',
            bots: 'accept',
          }}
          requests={[{ ...line, count: 2 }]}
          olderUrl={null}
        />
      ),
    },
  ]
}
