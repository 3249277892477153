// Mail of a server on one's own machine, through the mail server that SMTP_URL names.
import { createTransport } from 'nodemailer'
import { Problem } from './problem.mjs'

/** Codes of nodemailer for what a mail server refused: the sender or recipient, or the message. */
const refusals = new Set(['EENVELOPE', 'EMESSAGE'])

/**
 * Service that sends the mail in a request. A response of 422 means that the mail server refused it for good (RFC 5321:
 * replies of 500 and above), 503 that it may take it later.
 */
export function smtpService(address) {
  const transport = createTransport(readAddress(address), { disableFileAccess: true, disableUrlAccess: true })
  return async (request) => {
    const mail = await request.json()
    try {
      await transport.sendMail(mail)
      return Response.json({})
    } catch ({ code, responseCode, message }) {
      const isRefused = refusals.has(code) && responseCode >= 500
      return Response.json({ message }, { status: isRefused ? 422 : 503 })
    }
  }
}

function readAddress(text) {
  const address = URL.canParse(text) ? new URL(text) : null
  if (address !== null && /^smtps?:$/.test(address.protocol) && address.hostname !== '') return text
  // Never the text itself, which may hold a password.
  throw new Problem('SMTP_URL has to be an address such as smtps://NAME:PASSWORD@mail.example.org.')
}
