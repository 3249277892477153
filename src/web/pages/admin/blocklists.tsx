import * as z from 'zod'
import { findSubscriptions, type Subscription } from '../../../domain/moderation/blocklists/find'
import { checkList, subscribeToList, unsubscribe } from '../../../domain/moderation/blocklists/subscribe'
import { message } from '../../../lib/translate'
import { ListLines } from '../../components/admin/blocklist'
import { ServerTabs } from '../../components/admin/servers'
import { textField } from '../../form-fields'
import { memberPage } from '../../member-pages/member-page'
import { paths } from '../../paths'
import { type Resource, resourceList } from './resource'

const form = z.object({ url: textField(3_000), title: textField(300) })

const blocklists: Resource<typeof form, Subscription> = {
  path: paths.blocklists,
  title: message('Blocklists'),
  one: message('Blocklist'),
  access: 'manageFederation',
  order: null,
  current: paths.servers,
  tabs: () => <ServerTabs current="blocklists" />,
  intro: message(
    'Lists of limits that others publish, fetched every day. Nothing takes effect before you approve it.',
  ),
  form,
  fields: [
    {
      name: 'url',
      label: message('Address of the list'),
      hint: message('A CSV file as Mastodon exports it.'),
    },
    { name: 'title', label: message('Name'), isOptional: true, maxlength: 200 },
  ],
  find: findSubscriptions,
  pageLength: 40,
  entry: (list) => ({
    id: list.id,
    name: list.title,
    href: `${paths.blocklists}/${list.id}`,
    badges: list.hasPendingChanges ? [message('changes to review')] : [],
    lines: [<ListLines list={list} />],
  }),
  add: { label: message('Subscribe to a list'), run: subscribeToList },
  acts: [
    {
      verb: 'check',
      label: message('Fetch now'),
      notice: message('The list is fetched: its changes are here within a minute.'),
      isOffered: ({ endedAt }) => endedAt === null,
      run: checkList,
    },
    {
      verb: 'leave',
      label: message('Unsubscribe, keep its limits'),
      notice: message('The subscription is over. Its limits are your own now.'),
      isOffered: ({ endedAt }) => endedAt === null,
      run: (ctx, moderator, id) => unsubscribe(ctx, moderator, id, { lift: false }),
    },
  ],
  remove: {
    label: message('Unsubscribe, lift its limits'),
    effect: message('Every limit that came from this list alone is lifted. Ended follows stay ended.'),
    isOffered: ({ endedAt }) => endedAt === null,
    run: (ctx, moderator, id) => unsubscribe(ctx, moderator, id, { lift: true }),
  },
}

export const blocklistsPage = memberPage(resourceList(blocklists))
