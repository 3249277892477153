import * as z from 'zod'
import { findSubscriptions, type Subscription } from '../../../domain/moderation/blocklists/find'
import { checkList, subscribeToList, unsubscribe } from '../../../domain/moderation/blocklists/subscribe'
import { ListLines } from '../../components/admin/blocklist'
import { ServerTabs } from '../../components/admin/servers'
import { textField } from '../../form-fields'
import { memberPage } from '../../member-pages/member-page'
import { paths } from '../../paths'
import { type Resource, resourceList } from './resource'

const form = z.object({ url: textField(3_000), title: textField(300) })

const blocklists: Resource<typeof form, Subscription> = {
  path: paths.blocklists,
  title: 'admin.blocklists',
  one: 'admin.blocklist',
  access: 'manageFederation',
  order: null,
  current: paths.servers,
  tabs: () => <ServerTabs current="blocklists" />,
  intro: 'admin.blocklists.listsLimitsOthersPublish',
  form,
  fields: [
    {
      name: 'url',
      label: 'admin.blocklists.addressList',
      hint: 'admin.blocklists.addressList.hint',
    },
    { name: 'title', label: 'field.name', isOptional: true, maxlength: 200 },
  ],
  find: findSubscriptions,
  pageLength: 40,
  entry: (list) => ({
    id: list.id,
    name: list.title,
    href: `${paths.blocklists}/${list.id}`,
    badges: list.hasPendingChanges ? ['admin.blocklists.changesToReview'] : [],
    lines: [<ListLines list={list} />],
  }),
  add: { label: 'admin.blocklists.subscribeList', run: subscribeToList },
  acts: [
    {
      verb: 'check',
      label: 'admin.blocklists.fetchNow',
      notice: 'admin.blocklists.listFetchedChangesHere',
      isOffered: ({ endedAt }) => endedAt === null,
      run: checkList,
    },
    {
      verb: 'leave',
      label: 'admin.blocklists.unsubscribeKeepLimits',
      notice: 'admin.blocklists.subscriptionOverLimitsOwn',
      isOffered: ({ endedAt }) => endedAt === null,
      run: (ctx, moderator, id) => unsubscribe(ctx, moderator, id, { lift: false }),
    },
  ],
  remove: {
    label: 'admin.blocklists.unsubscribeLiftLimits',
    effect: 'admin.blocklists.everyLimitCameFrom',
    isOffered: ({ endedAt }) => endedAt === null,
    run: (ctx, moderator, id) => unsubscribe(ctx, moderator, id, { lift: true }),
  },
}

export const blocklistsPage = memberPage(resourceList(blocklists))
