import * as z from 'zod'
import { Preferences } from '../contract/entities/own-account'
import { preferencesOf } from '../domain/users/defaults'
import { presentPreferences } from '../view/present/own-account'
import { user } from './caller'
import { endpoint } from './endpoint'

export const preferences = [
  endpoint({
    method: 'GET',
    path: '/api/v1/preferences',
    summary: 'How the viewer posts and reads unless they say otherwise',
    auth: user('read:accounts'),
    input: z.object({}),
    output: Preferences,
    run: async (_ctx, { viewer }) => presentPreferences(preferencesOf(viewer)),
  }),
]
