import { CustomResourceDefinitions } from '@klutch/api';
import { expect, it, onTestFinished } from 'vitest';
import { sampleApi } from '../konnector/world.ts';
import { bind, logInAndFinish, onBindStage, openProvider, printedUrl } from './bind-stage.ts';
import { runInstalledKonnector } from './installed-konnector.ts';

onBindStage('klutch bind --wait', (stage) => {
  it('CLI-36 waits until what is bound can be used, and says what is in the way', async () => {
    const [working, idle] = [sampleApi(), sampleApi()];
    const provider = await openProvider(stage(), { api: working }, { api: idle });
    const tooShort = await bind(stage(), [provider.url, '--api', idle.name, '--wait', '--wait-timeout', '20s']);
    expect(await logInAndFinish(tooShort, provider)).toBe(5);
    expect(tooShort.err()).toMatch(
      new RegExp(
        `Error: The API ${idle.name} is bound but not ready after 20 s: the konnector has not processed it yet`,
      ),
    );

    const run = await bind(stage(), [provider.url, '--api', working.name, '--wait', '--wait-timeout', '180s']);
    await provider.visit(await printedUrl(run));
    await run.says(/Created binding/);
    const konnector = await runInstalledKonnector(stage());
    onTestFinished(() => konnector.stop());

    expect(await run.ended(), run.err()).toBe(0);
    expect(run.out()).toMatch(new RegExp(`/${working.name} +Test provider +True`));
    const crd = await stage().app.admin.resource(CustomResourceDefinitions).get({ name: working.name });
    expect(crd.status?.conditions).toContainEqual(expect.objectContaining({ type: 'Established', status: 'True' }));
  });
});
