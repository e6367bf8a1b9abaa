import { Unsafe } from 'typebox';
import { permissionClaims as claimsOfTemplates } from '../kinds/permission-claim.ts';
import { type BindingProvider, bindingProviderSchema } from '../payloads/binding-provider.ts';
import { type BindingResponse, bindingResponseSchema } from '../payloads/binding-response.ts';
import type { Infer } from '../schema/schema.ts';

// Payloads that Go components or CRDs know are described there; here they become parts of the contract.

export const bindingProvider = Unsafe<BindingProvider>({ ...bindingProviderSchema.json });

export const bindingResponse = Unsafe<BindingResponse>({ ...bindingResponseSchema.json });

export const permissionClaims = Unsafe<Infer<typeof claimsOfTemplates>>({ ...claimsOfTemplates.json });
