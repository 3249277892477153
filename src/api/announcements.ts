import * as z from 'zod'
import { Announcement } from '../contract/entities/announcement'
import { Id } from '../contract/scalars'
import { isCurrent } from '../domain/announcements/find'
import {
  dismissAnnouncement,
  reactToAnnouncement,
  unreactToAnnouncement,
} from '../domain/announcements/react'
import { loadAnnouncements } from '../view/load/announcements'
import { presentAnnouncement } from '../view/present/announcement'
import { activeUser, endpoint, readEndpoint, updateEndpoints, user } from './endpoint'

const ById = z.object({ id: Id })
const Reacting = ById.extend({ name: z.string().min(1).max(400) })

/** PATCH is in earlier versions of the documentation. */
const reacting = updateEndpoints({
  path: '/api/v1/announcements/:id/reactions/:name',
  summary: 'React to an announcement with an emoji',
  auth: user('write:favourites'),
  input: Reacting,
  run: (ctx, { input, viewer }) => reactToAnnouncement(ctx, viewer, input),
})

export const announcements = [
  readEndpoint({
    path: '/api/v1/announcements',
    summary: 'What the operators tell everybody',
    auth: activeUser(),
    output: z.array(Announcement),
    read: (ctx, { as, now }) => loadAnnouncements(ctx, as, isCurrent(now)),
    show: ({ config }, { found }) => found.map((facts) => presentAnnouncement(config, facts)),
  }),
  endpoint({
    path: '/api/v1/announcements/:id/dismiss',
    summary: 'Mark an announcement as read',
    auth: user('write:accounts'),
    input: ById,
    run: (ctx, { input, viewer }) => dismissAnnouncement(ctx, viewer, input.id),
  }),
  ...reacting,
  endpoint({
    method: 'DELETE',
    path: '/api/v1/announcements/:id/reactions/:name',
    summary: 'Take a reaction to an announcement back',
    auth: user('write:favourites'),
    input: Reacting,
    run: (ctx, { input, viewer }) => unreactToAnnouncement(ctx, viewer, input),
  }),
]
