import * as z from 'zod'
import { createRelay, deleteRelay, disableRelay, enableRelay } from '../../../domain/instance/relays/change'
import { findRelays, type Relay } from '../../../domain/instance/relays/find'
import { message } from '../../../lib/translate'
import { relayStates, ServerTabs } from '../../components/admin/servers'
import { textField } from '../../form-fields'
import { memberPage } from '../../member-pages/member-page'
import { paths } from '../../paths'
import { type Resource, resourceList } from './resource'

const form = z.object({ inbox_url: textField(2_000) })

const relays: Resource<typeof form, Relay> = {
  path: '/admin/relays',
  title: message('Relays'),
  one: message('Relay'),
  access: 'manageFederation',
  order: null,
  current: paths.servers,
  tabs: () => <ServerTabs current="relays" />,
  intro: message(
    'A relay gets the public posts of this server and sends those of others. Many posts cost many rows a day.',
  ),
  form,
  fields: [
    {
      name: 'inbox_url',
      label: message('Inbox of the relay'),
      hint: message('As https://relay.example/inbox.'),
    },
  ],
  find: findRelays,
  pageLength: 20,
  entry: ({ id, inboxUrl, state }) => ({ id, name: inboxUrl, badges: [relayStates[state]] }),
  add: {
    label: message('Subscribe'),
    run: (ctx, moderator, input) => createRelay(ctx, moderator, input.inbox_url),
  },
  acts: [
    {
      verb: 'enable',
      label: message('Subscribe again'),
      notice: message('The relay was asked.'),
      isOffered: ({ state }) => state !== 'accepted',
      run: enableRelay,
    },
    {
      verb: 'disable',
      label: message('Unsubscribe'),
      notice: message('The subscription is over.'),
      isOffered: ({ state }) => state !== 'idle',
      run: disableRelay,
    },
  ],
  remove: { label: message('Remove'), effect: message('The subscription ends.'), run: deleteRelay },
}

export const relaysPage = memberPage(resourceList(relays))
