import * as z from 'zod'
import {
  createRelay,
  deleteRelay,
  disableRelay,
  enableRelay,
  findRelays,
  type Relay,
} from '../../../domain/relays/change'
import { relayStates, ServerTabs } from '../../components/admin/servers'
import { textField } from '../../form-fields'
import { memberPage } from '../../member-pages/member-page'
import { paths } from '../../paths'
import { type Resource, resourceList } from './resource'

const form = z.object({ inbox_url: textField(2_000) })

const relays: Resource<typeof form, Relay> = {
  path: '/admin/relays',
  title: 'admin.relays',
  one: 'admin.relays.relay',
  access: 'manageFederation',
  order: null,
  current: paths.servers,
  tabs: () => <ServerTabs current="relays" />,
  intro: 'admin.relays.relayGetsPublicPosts',
  form,
  fields: [
    {
      name: 'inbox_url',
      label: 'field.inboxRelay',
      hint: 'admin.relays.inboxRelay.hint',
    },
  ],
  find: findRelays,
  pageLength: 20,
  entry: ({ id, inboxUrl, state }) => ({ id, name: inboxUrl, badges: [relayStates[state]] }),
  add: {
    label: 'admin.relays.subscribe',
    run: (ctx, moderator, input) => createRelay(ctx, moderator, input.inbox_url),
  },
  acts: [
    {
      verb: 'enable',
      label: 'admin.relays.subscribeAgain',
      notice: 'admin.relays.relayAsked',
      isOffered: ({ state }) => state !== 'accepted',
      run: enableRelay,
    },
    {
      verb: 'disable',
      label: 'admin.relays.unsubscribe',
      notice: 'admin.relays.subscriptionOver',
      isOffered: ({ state }) => state !== 'idle',
      run: disableRelay,
    },
  ],
  remove: { label: 'common.remove', effect: 'admin.relays.theSubscriptionEnds', run: deleteRelay },
}

export const relaysPage = memberPage(resourceList(relays))
