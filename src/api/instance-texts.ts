import * as z from 'zod'
import { Language } from '../contract/entities/language'
import { ExtendedDescription, PrivacyPolicy } from '../contract/entities/legal-text'
import { known } from '../db/query'
import { loadSettingsWithTimes } from '../domain/instance/settings'
import { aboutText, privacyText } from '../domain/instance/texts'
import { languages } from '../lib/language'
import { renderDocument } from '../lib/text/document'
import { timestamp, timestampOrNull } from '../view/present/time'
import { anyone } from './caller'
import { readEndpoint } from './endpoint'

const minutes = 60

export const instanceTexts = [
  readEndpoint({
    method: 'GET',
    path: '/api/v1/instance/extended_description',
    summary: 'The about text',
    auth: anyone(),
    input: z.object({}),
    output: ExtendedDescription,
    maxAgeSeconds: 5 * minutes,
    read: loadSettingsWithTimes,
    show: (_ctx, { found }) => {
      const { markdown, updatedAt } = aboutText(found.settings, found.changedAt)
      return { updated_at: timestampOrNull(updatedAt), content: renderDocument(markdown) }
    },
  }),
  readEndpoint({
    method: 'GET',
    path: '/api/v1/instance/privacy_policy',
    summary: 'The privacy policy',
    auth: anyone(),
    input: z.object({}),
    output: PrivacyPolicy,
    maxAgeSeconds: 5 * minutes,
    read: loadSettingsWithTimes,
    show: (_ctx, { found }) => {
      const { markdown, updatedAt } = privacyText(found.settings, found.changedAt)
      return { updated_at: timestamp(updatedAt), content: renderDocument(markdown) }
    },
  }),
  readEndpoint({
    method: 'GET',
    path: '/api/v1/instance/languages',
    summary: 'The languages a status can be written in',
    auth: anyone(),
    input: z.object({}),
    output: z.array(Language),
    maxAgeSeconds: 60 * minutes,
    read: () => known(null),
    show: () => languages.map(({ code, name }) => ({ code, name })),
  }),
  readEndpoint({
    method: 'GET',
    path: '/api/v1/instance/translation_languages',
    summary: 'What can be translated into what: nothing without a translation service',
    auth: anyone(),
    input: z.object({}),
    output: z.record(z.string(), z.array(z.string())),
    maxAgeSeconds: 60 * minutes,
    read: () => known(null),
    show: () => ({}),
  }),
]
