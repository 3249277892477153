// Binding for mail that hands it to the service SMTP, with the errors of Cloudflare's own. Runs in workerd.
let known = null

/** The environment with that binding, where a mail server was named. One object for all requests: the app caches by it. */
export function withMail(env) {
  if (env.SMTP === undefined) return env
  if (known?.given !== env)
    known = { given: env, made: { ...env, EMAIL: { send: (mail) => send(env, mail) } } }
  return known.made
}

async function send(env, mail) {
  const response = await env.SMTP.fetch('http://mail/', { method: 'POST', body: JSON.stringify(mail) })
  if (response.ok) return
  const { message } = await response.json()
  throw Object.assign(new Error(message), response.status === 422 ? { code: 'E_RECIPIENT_NOT_ALLOWED' } : {})
}
