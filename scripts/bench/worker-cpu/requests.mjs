// Requests whose CPU time is measured.
import { pictureOf } from './pictures.mjs'

/** Requests by name. `send` sends one by its number: the same number makes the same request. */
export function requestsOf(facts, { url, isShort = false }) {
  const { token, cookie, ownerCookie, author, thread, pages, note, writers, conversation } = facts
  const call = async (path, { accept = '*/*', as = token, ...init } = {}) => {
    const headers = { accept, ...(as === null ? {} : { authorization: `Bearer ${as}` }), ...init.headers }
    // A redirect to sign-in is no page.
    const answer = await fetch(new URL(path, url), { redirect: 'manual', ...init, headers })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
  }
  const get = (path, options) => ({ send: () => call(path, options) })
  // A parameter of its own keeps an answer from the memory of the isolate.
  const visit = (path, accept) => ({ send: (index) => call(`${path}?visit=${index}`, { as: null, accept }) })
  // A page of the web client, as the browser of a member asks for it.
  const page = (path, by = cookie) => get(path, { as: null, accept: 'text/html', headers: { cookie: by } })
  // Each size by an account of its own: one may upload thirty files in half an hour.
  const upload = (bytes, as) => ({
    count: isShort ? 3 : 7,
    warm: 2,
    send: () => {
      const form = new FormData()
      form.append('file', new Blob([pictureOf(bytes)], { type: 'image/png' }), 'noise.png')
      return call('api/v2/media', { method: 'POST', body: form, as })
    },
  })
  return {
    'home, 20 posts': get('api/v1/timelines/home?limit=20'),
    'home, 40 posts': get('api/v1/timelines/home?limit=40'),
    'notifications, 40': get('api/v1/notifications?limit=40'),
    'public timeline, 20 posts': get('api/v1/timelines/public?limit=20'),
    'thread of 60 posts': get(`api/v1/statuses/${thread}/context`),
    'posts of a profile, 20': get(`api/v1/accounts/${author}/statuses?limit=20`),
    search: get('api/v2/search?q=neighbour&limit=20'),
    'home in the web client, 20 posts': page('home'),
    'notifications in the web client, 20': page('notifications'),
    'thread of 60 posts in the web client': page(pages.thread),
    'profile in the web client, 20 posts': page(pages.author),
    'messages in the web client, 20': page('conversations'),
    'conversation in the web client, 20 messages': page(`conversations/${conversation}`),
    'search in the web client': page('search?q=neighbour'),
    'explore in the web client': page('explore'),
    'composer in the web client': page('publish'),
    'settings, posting and reading': page('settings/preferences'),
    'settings, notifications in this browser': page('settings/push'),
    'dashboard of the administration': page('admin/dashboard', ownerCookie),
    'profile page': visit('@neighbour0', 'text/html'),
    'document of an actor': visit('users/neighbour0', 'application/activity+json'),
    'document of a post': visit(note, 'application/activity+json'),
    'a post, with what follows it': {
      send: (index) =>
        call('api/v1/statuses', {
          method: 'POST',
          as: writers[index % writers.length],
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ status: 'Two fieldfares in #bread', visibility: 'unlisted' }),
        }),
    },
    'upload of 300 KB': upload(300_000, writers[0]),
    'upload of 3 MB': upload(3_000_000, writers[1]),
    'upload of 15 MB': upload(15_000_000, writers[2]),
  }
}
