import * as z from 'zod'
import { Marker } from '../contract/entities/timelines'
import { ReadableId, TextList } from '../contract/scalars'
import { findMarkers, markedTimelines, updateMarkers } from '../domain/markers/update'
import { presentMarkers } from '../view/present/timelines'
import { endpoint, readEndpoint, user } from './endpoint'

const Markers = z.strictObject({ home: Marker.exactOptional(), notifications: Marker.exactOptional() })

/** A timeline without a place is left as it is; an id that cannot be read would put the reader back to the start. */
const Place = z.preprocess(
  (sent) => (typeof sent === 'object' && !Array.isArray(sent) ? (sent ?? undefined) : undefined),
  z.object({ last_read_id: ReadableId }).optional(),
)

export const markers = [
  readEndpoint({
    path: '/api/v1/markers',
    summary: 'Where the viewer stopped reading',
    auth: user('read:statuses'),
    input: z.object({ timeline: TextList }),
    output: Markers,
    read: (ctx, { input, as }) => {
      const timelines = markedTimelines.filter((name) => input.timeline.includes(name))
      return findMarkers(ctx, as, timelines)
    },
    show: (_ctx, { found }) => presentMarkers(found),
  }),
  endpoint({
    path: '/api/v1/markers',
    summary: 'Notes how far the viewer read',
    auth: user('write:statuses'),
    input: z.object({ home: Place, notifications: Place }),
    output: Markers,
    run: async (ctx, { viewer, input }) => {
      const positions = markedTimelines.flatMap((timeline) => {
        const lastReadId = input[timeline]?.last_read_id
        return lastReadId === undefined ? [] : [[timeline, lastReadId] as const]
      })
      return presentMarkers(await updateMarkers(ctx, viewer, new Map(positions)))
    },
  }),
]
