import * as z from 'zod'
import { execute } from '../../../db/query'
import { addAnnouncement } from '../../../domain/announcements/add'
import {
  removeAnnouncement,
  setAnnouncementPublished,
  updateAnnouncement,
} from '../../../domain/announcements/change'
import {
  type AnnouncementRow,
  announcementState,
  findAnnouncement,
  findAnnouncements,
} from '../../../domain/announcements/find'
import { Invalid } from '../../../errors'
import { Day } from '../../components/day'
import { checkbox, textField } from '../../form-fields'
import { memberPage } from '../../member-pages/member-page'
import { type Resource, resourceEntry, resourceList } from './resource'

const form = z.object({
  text: textField(),
  starts_at: textField(40),
  ends_at: textField(40),
  all_day: checkbox,
  publish_at: textField(40),
})
type Input = z.output<typeof form>

const stateTexts = {
  draft: 'admin.announcements.draft',
  scheduled: 'admin.announcements.scheduled',
  published: 'admin.announcements.isPublished',
  over: 'admin.announcements.over',
} as const

/** Time of a field in UTC; null for an empty one. `Invalid` for anything else. */
function timeIn(text: string): Date | null {
  if (text === '') return null
  const time = new Date(`${text}Z`)
  if (Number.isNaN(time.getTime())) throw new Invalid('invalid_time')
  return time
}

function orderOf(input: Input) {
  return {
    text: input.text,
    startsAt: timeIn(input.starts_at),
    endsAt: timeIn(input.ends_at),
    allDay: input.all_day,
  }
}

/** Time as a field shows it: UTC to the minute. */
function fieldTime(time: Date | null): string {
  return time?.toISOString().slice(0, 16) ?? ''
}

const change: Required<Resource<typeof form, AnnouncementRow>>['change'] = {
  find: findAnnouncement,
  values: ({ text, startsAt, endsAt, allDay, publishedAt }) => ({
    text,
    starts_at: fieldTime(startsAt),
    ends_at: fieldTime(endsAt),
    all_day: String(allDay),
    publish_at: fieldTime(publishedAt),
  }),
  run: async (ctx, moderator, id, input) => {
    const publishAt = timeIn(input.publish_at)
    // The form sends the time of a published announcement too, which cannot change.
    const stored = await execute(ctx.db, findAnnouncement(ctx, id))
    const isSame = input.publish_at === fieldTime(stored?.publishedAt ?? null)
    return updateAnnouncement(ctx, moderator, id, {
      ...orderOf(input),
      ...(publishAt === null || isSame ? {} : { publishAt }),
    })
  },
}

const announcements: Resource<typeof form, AnnouncementRow> = {
  path: '/admin/announcements',
  title: 'admin.announcements.announcements',
  one: 'admin.announcements.announcement',
  access: 'manageAnnouncements',
  order: 110,
  intro: 'admin.announcements.appsShowEveryMember',
  form,
  fields: [
    { name: 'text', label: 'field.text', kind: 'lines', maxlength: 10_000 },
    { name: 'starts_at', label: 'field.eventBegins', kind: 'time', isOptional: true },
    { name: 'ends_at', label: 'field.eventEnds', kind: 'time', isOptional: true },
    { name: 'all_day', label: 'field.allDay', kind: 'checkbox' },
    {
      name: 'publish_at',
      label: 'field.published',
      kind: 'time',
      hint: 'admin.announcements.published.hint',
      isOptional: true,
    },
  ],
  find: findAnnouncements,
  pageLength: 20,
  entry: (row, now) => ({
    id: row.id,
    name: row.text.slice(0, 200),
    badges: [stateTexts[announcementState(row, now)]],
    lines: row.startsAt === null ? [] : [<Day at={row.startsAt} withTime={!row.allDay} />],
  }),
  add: {
    label: 'admin.announce',
    run: (ctx, moderator, input) =>
      addAnnouncement(ctx, moderator, { ...orderOf(input), publishAt: timeIn(input.publish_at) }),
  },
  change,
  acts: [
    {
      verb: 'publish',
      label: 'admin.announcements.publishNow',
      notice: 'admin.announcements.published',
      isOffered: ({ publishedAt }) => publishedAt === null,
      run: (ctx, moderator, id) => setAnnouncementPublished(ctx, moderator, id, true),
    },
    {
      verb: 'unpublish',
      label: 'admin.announcements.withdraw',
      notice: 'admin.announcements.announcementDraftAgain',
      isOffered: ({ publishedAt }) => publishedAt !== null,
      run: (ctx, moderator, id) => setAnnouncementPublished(ctx, moderator, id, false),
    },
  ],
  remove: {
    label: 'admin.delete',
    effect: 'admin.announcements.reactionsDeletedToo',
    run: removeAnnouncement,
  },
}

export const announcementsPage = memberPage(resourceList(announcements))
export const announcementPage = memberPage(resourceEntry({ ...announcements, change }))
