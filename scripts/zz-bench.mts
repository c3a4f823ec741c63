import fs from 'node:fs'
const R='/work/wt/query/'
const { makeOurs, makeDuck } = await import(R+'scripts/bench/reports/make.ts')
const { questions } = await import(R+'scripts/bench/reports/questions.ts')
const { askOurs } = await import(R+'scripts/bench/reports/compare.ts')
const { openDuck } = await import(R+'scripts/bench/reports/duck.ts')
const { openEngine } = await import(R+'storage/engine/index.ts')
const { openStore } = await import(R+'storage/store.ts')
const folder='/tmp/query-bench'; fs.mkdirSync(folder,{recursive:true})
const hits=Number(process.env.HITS??2_000_000)
const file=folder+'/ours.db', duckFile=folder+'/duck.db'
if(!fs.existsSync(duckFile)){ console.log(JSON.stringify(await makeOurs('file:'+file,{hits,size:async()=>fs.statSync(file).size/1e6}))); console.log('duck', await makeDuck(duckFile,hits)) }
const store=openStore('file:'+file,{readonly:true,connections:1}); const engine=openEngine(store,{threads:0,cacheBytes:200*1048576}); const duck=await openDuck(duckFile)
const only=process.argv.slice(2)
const cpu=async (f)=>{const b=process.cpuUsage();const t=performance.now();await f();const u=process.cpuUsage(b);return [(u.user+u.system)/1000,performance.now()-t]}
const med=a=>a.toSorted((x,y)=>x-y)[a.length>>1]
for(const q of questions.filter(q=>only.length===0||only.some(o=>q.name.includes(o)))){
  const a=await askOurs(engine,q); try { q.agrees?.(a, await duck.ask(q.duck)) } catch (e) { console.log("DIFF", e.message, JSON.stringify(a.rows?.slice(0,3).map(r=>[r.values,r.point,r.sums.visitors,r.sums.visits])), JSON.stringify((await duck.ask(q.duck))[0].slice(0,3),(k,v)=>typeof v==="bigint"?Number(v):v)) }
  for(let i=0;i<4;i++){await askOurs(engine,q)}
  const o=[],d=[],ow=[],dw=[]
  for(let i=0;i<9;i++){const [c,w]=await cpu(()=>askOurs(engine,q));o.push(c);ow.push(w);const [c2,w2]=await cpu(()=>duck.ask(q.duck));d.push(c2);dw.push(w2)}
  console.log(q.name.padEnd(44),'cpu',med(o).toFixed(1),'duck',med(d).toFixed(1),'ratio',(med(o)/med(d)).toFixed(3),'| wall',Math.min(...ow).toFixed(1),Math.min(...dw).toFixed(1),(Math.min(...ow)/Math.min(...dw)).toFixed(3))
}
duck.close(); await engine.close(); await store.close()
