import * as z from 'zod'
import { Relay } from '../../contract/entities/admin/maintenance'
import { OptionalText } from '../../contract/scalars'
import { createRelay, deleteRelay, disableRelay, enableRelay } from '../../domain/relays/change'
import { findRelay, findRelays } from '../../domain/relays/find'
import { presentRelay } from '../../view/present/admin-maintenance'
import { staff } from '../caller'
import { AdminResource } from './resource'

const relays = new AdminResource({
  path: '/api/fieldfare/v1/admin/relays',
  reading: staff('admin:read', 'manageFederation'),
  writing: staff('admin:write', 'manageFederation'),
  output: Relay,
  present: presentRelay,
})

export const adminRelays = [
  relays.list('Relays, newest first', [40, 100], findRelays),
  relays.one('One relay', findRelay),
  relays.create('Adds a relay by the address of its inbox, and subscribes to it', {
    input: z.object({ inbox_url: OptionalText }),
    run: (ctx, { viewer, input }) => createRelay(ctx, viewer, input.inbox_url ?? ''),
  }),
  relays.act('enable', 'Subscribes to a relay, again where it has not accepted', enableRelay),
  relays.act('disable', 'Ends the subscription to a relay', disableRelay),
  relays.remove('Ends the subscription to a relay and removes it', deleteRelay),
]
