import {start,demo,go,shot,buy,attempt} from './attack-lib.tmp.mjs'
const b=await start(); const p=await demo(b,1440,900)
await buy(p,'0.05'); console.log(p.sent.splice(0))
await shot(p,'pos-1440')
const row=p.locator('tbody tr').filter({hasText:'BTCUSD'}).first()
console.log(await row.innerText())
console.log(await row.getByRole('button').evaluateAll(bs=>bs.map(b=>b.getAttribute('aria-label')||b.innerText)))
await row.getByRole('button',{name:/SL|Protect|Stop/i}).first().click()
const d=p.getByRole('dialog').last(); await d.waitFor()
console.log((await d.innerText()).slice(0,1200)); await shot(p,'sltp-1440')
await attempt('sl', async()=>{
 for (const l of ['Stop loss','Take profit','Trailing stop']) await d.getByRole('switch',{name:l}).click()
 await p.waitForTimeout(300); await shot(p,'sltp-on-1440')
 console.log(await d.locator('input').evaluateAll(x=>x.map(i=>[i.getAttribute('aria-label'),i.type,i.value])))
})
const paste=async(loc,text)=>{ await loc.click(); await p.keyboard.press('Control+A'); await p.keyboard.insertText(text); const e=await loc.inputValue(); await p.waitForTimeout(50); return e }
const labels=(await d.locator('input[type=text],input:not([type])').evaluateAll(x=>x.map(i=>i.getAttribute('aria-label')))).filter(Boolean)
console.log(labels)
for (const unit of [null,'%','± USD']) {
  if(unit) await attempt('unit',async()=>{ await d.getByText(unit,{exact:true}).first().click(); await p.waitForTimeout(200); await shot(p,'sltp-unit-'+(unit==='%'?'pct':'dist')) })
  const ins=d.locator('input[inputmode=decimal]'); const n=await ins.count()
  for(let i=0;i<n;i++){ const f=ins.nth(i); const name=await f.getAttribute('aria-label')
    for(const v of ['1,234.5','1.234,5','-1,234.56','−1,500','+1,500','-5','','1e9','٩٢٠٠٠٫٥','92\u00a0052,37','92.052.370','1,234,567.89','1,23456','$92,000','0,5','.5',',5','91,500','1,234,56','99999999999999999999999']) {
      await attempt(name+v,async()=>{ const e=await paste(f,v); await f.blur(); await p.waitForTimeout(60); console.log(unit,'|',name,'|',v,'| edit',e,'| blurred',await f.inputValue()) })
    }
  }
}
await b.close()
