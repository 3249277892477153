import * as z from 'zod'
import { Translation } from '../../contract/entities/status-details'
import { translateStatus } from '../../domain/translations/translate'
import { presentTranslation } from '../../view/present/status-details'
import { user } from '../caller'
import { endpoint } from '../endpoint'
import { orNothing } from './input'
import { ById } from './status-change'

export const statusTranslation = [
  endpoint({
    method: 'POST',
    path: '/api/v1/statuses/:id/translate',
    summary: 'A status in another language',
    auth: user('read:statuses'),
    limit: 'translations',
    input: ById.extend({ lang: orNothing(z.string().max(40)) }),
    output: Translation,
    run: async (ctx, { input, viewer }) =>
      presentTranslation(await translateStatus(ctx, viewer, { id: input.id, language: input.lang ?? null })),
  }),
]
