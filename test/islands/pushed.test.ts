import { expect, it } from 'vitest'
import { isRead, readPushed } from '../../src/islands/lib/pushed'

const sent = {
  access_token: '',
  preferred_locale: 'de-AT',
  notification_id: 12,
  notification_type: 'mention',
  icon: 'https://media.example/1.webp',
  title: 'Bob hat dich erwähnt',
  body: '@merle Seidenschwänze!',
  url: '/@bob/34',
  tag: 'notification-12',
}

it('a pushed message is shown in the words and the language of the server', () => {
  expect(readPushed(JSON.stringify(sent), 'birds.example')).toEqual({
    title: sent.title,
    body: sent.body,
    icon: sent.icon,
    tag: sent.tag,
    lang: 'de-AT',
    dir: 'auto',
    data: { path: '/@bob/34', id: 12 },
  })
})

it.each(['', 'no JSON', '[]', 'null', '{"title":1}'])(
  'a message that cannot be read (%s) still shows something',
  (text) => {
    expect(readPushed(text, 'birds.example')).toEqual({
      title: 'birds.example',
      body: '',
      dir: 'auto',
      data: { path: '/notifications', id: 0 },
    })
  },
)

it.each([
  'https://elsewhere.example/',
  '//elsewhere.example/',
  '/\\elsewhere.example/',
  'javascript:alert(1)',
])('a pushed message never leads to another site (%s)', (url) => {
  const { data } = readPushed(JSON.stringify({ ...sent, url }), 'birds.example')
  expect(data.path).toBe('/notifications')
})

it('a notification is read once its page is open, or a later one was read', () => {
  const data = { path: '/@bob/34', id: 12 }
  expect(isRead(data, { path: '/@bob/34', readId: 0 })).toBe(true)
  expect(isRead(data, { path: '/home', readId: 12 })).toBe(true)
  expect(isRead(data, { path: '/home', readId: 11 })).toBe(false)
  expect(isRead(data, { path: '/notifications', readId: Number.POSITIVE_INFINITY })).toBe(true)
  expect(isRead(null, { path: '/home', readId: 12 })).toBe(false)
})
