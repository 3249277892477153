import { describe, expect, it } from 'vitest'
import english from '../../public/messages/en.json'
import {
  groupedTypes,
  mailKinds,
  notificationKind,
  notificationMail,
  notificationTypes,
  pushAlerts,
  typesAbout,
} from '../../src/contract/notification-kinds'
import { groupKeyPattern } from '../../src/domain/notifications/groups'

const typesWith = (property: 'isFilterable' | 'isFromSelf') =>
  notificationTypes.filter((type) => notificationKind(type)[property]).toSorted()

describe('kinds of notification', () => {
  it('group favourites and reblogs by status, follows and sign-ups by time', () => {
    expect(groupedTypes.toSorted()).toEqual(['admin.sign_up', 'favourite', 'follow', 'reblog'])
    const keys = ['follow-41000', 'admin.sign_up-41000', 'favourite-17-41000', 'reblog-17-41000']
    expect(keys.filter((key) => !groupKeyPattern.test(key))).toEqual([])
    const others = [
      'favourite-41000',
      'follow-17-41000',
      'adminxsign_up-41000',
      'mention-17-41000',
      'x-follow-1',
    ]
    expect(others.filter((key) => groupKeyPattern.test(key))).toEqual([])
  })

  it('kinds of notification let policies filter interactions of others', () => {
    expect(typesWith('isFilterable')).toEqual([
      'added_to_collection',
      'favourite',
      'follow',
      'follow_request',
      'mention',
      'quote',
      'reblog',
    ])
  })

  it('kinds of notification come from the recipient where they have no sender', () => {
    expect(typesWith('isFromSelf')).toEqual([
      'admin.trends',
      'annual_report',
      'moderation_warning',
      'poll',
      'severed_relationships',
    ])
  })

  it('kinds of notification are pushed with a title that names the sender', () => {
    expect(pushAlerts.toSorted()).toEqual([
      'admin.report',
      'admin.sign_up',
      'favourite',
      'follow',
      'follow_request',
      'mention',
      'poll',
      'quote',
      'quoted_update',
      'reblog',
      'status',
      'update',
    ])
    const titles = pushAlerts.map((type) => notificationKind(type).pushTitle)
    expect(titles.filter((key) => key === null || english[key].split('{name}').length !== 2)).toEqual([])
  })

  it('kinds of notification are mailed in the order of the page of settings, reports and warnings unasked', () => {
    expect(mailKinds).toEqual([
      'mention',
      'quote',
      'follow',
      'follow_request',
      'favourite',
      'reblog',
      'moderation_warning',
      'admin.report',
      'admin.sign_up',
      'admin.appeal',
      'admin.trends',
    ])
    expect(mailKinds.filter((kind) => notificationMail(kind).isUrgent)).toEqual([
      'moderation_warning',
      'admin.report',
      'admin.appeal',
    ])
    expect(mailKinds.filter((kind) => notificationMail(kind).reachesSuspended)).toEqual([
      'moderation_warning',
    ])
  })

  it('kinds of notification have fallback texts with placeholders that are filled', () => {
    const places = notificationTypes.flatMap(
      (type) => notificationKind(type).fallbackTitle?.match(/\{[^}]*\}/g) ?? [],
    )
    expect(places.filter((place) => place !== '{sender}' && place !== '{target}')).toEqual([])
    const withTarget = notificationTypes.filter((type) =>
      notificationKind(type).fallbackTitle?.includes('{target}'),
    )
    expect(withTarget.toSorted()).toEqual([...typesAbout('report', 'severance')].toSorted())
  })
})
