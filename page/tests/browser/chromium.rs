//! Headless Chromium, driven by its own protocol.

use std::fs;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

/// Names that Chromium goes by.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// So long something may take that a loaded machine does.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one page in it.
pub struct Browser {
    process: Child,
    socket: WebSocket<TcpStream>,
    session: String,
    calls: u64,
    profile: PathBuf,
    /// What went wrong in the page, and what it has said on the console.
    pub complaints: Vec<String>,
    /// What it has asked for.
    pub requests: Vec<String>,
    /// One browser at a time, so that what is measured is measured alone.
    _alone: MutexGuard<'static, ()>,
}

static ALONE: Mutex<()> = Mutex::new(());

impl Browser {
    /// A browser whose window has this size.
    pub fn new([width, height]: [u32; 2]) -> Browser {
        // One that has failed leaves nothing behind.
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let profile = std::env::temp_dir().join(format!(
            "constraint-page-{}-{:?}",
            std::process::id(),
            std::thread::current().id()
        ));
        let process = BROWSERS.iter().find_map(|name| {
            Command::new(name)
                .args([
                    "--headless",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--remote-debugging-port=0",
                ])
                .arg(format!("--window-size={width},{height}"))
                .arg(format!("--user-data-dir={}", profile.display()))
                .arg("about:blank")
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .ok()
        });
        let process = process.unwrap_or_else(|| {
            panic!("the page is tried in a browser, and none of {BROWSERS:?} is installed: `apt-get install chromium`")
        });
        let [port, path] = address(&profile);
        let stream = TcpStream::connect(format!("127.0.0.1:{port}")).expect("the browser listens");
        let (socket, _) = tungstenite::client(format!("ws://127.0.0.1:{port}{path}"), stream)
            .expect("the browser speaks its protocol");
        let mut browser = Browser {
            process,
            socket,
            session: String::new(),
            calls: 0,
            profile,
            complaints: Vec::new(),
            requests: Vec::new(),
            _alone: alone,
        };
        browser.attach();
        browser
    }

    /// To the page that is there from the start.
    fn attach(&mut self) {
        let targets = self.call("Target.getTargets", json!({}));
        let mut targets = targets["targetInfos"].as_array().into_iter().flatten();
        let page = targets.find(|it| it["type"] == "page").expect("a page");
        let asked = json!({ "targetId": page["targetId"], "flatten": true });
        let attached = self.call("Target.attachToTarget", asked);
        attached["sessionId"]
            .as_str()
            .unwrap_or_default()
            .clone_into(&mut self.session);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            self.call(&format!("{domain}.enable"), json!({}));
        }
    }

    /// What a method of the protocol gives back.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.calls += 1;
        let id = self.calls;
        let mut request = json!({ "id": id, "method": method, "params": parameters });
        if !self.session.is_empty() {
            request["sessionId"] = self.session.clone().into();
        }
        let sent = self.socket.send(Message::text(request.to_string()));
        sent.expect("the browser is there");
        loop {
            let Message::Text(text) = self.socket.read().expect("the browser answers") else {
                continue;
            };
            let said: Value = serde_json::from_str(&text).expect("JSON");
            if said["id"] == id {
                assert!(said["error"].is_null(), "{method}: {}", said["error"]);
                return said["result"].clone();
            }
            self.hear(&said);
        }
    }

    fn hear(&mut self, said: &Value) {
        let told = &said["params"];
        match said["method"].as_str() {
            Some("Runtime.exceptionThrown") => {
                let details = &told["exceptionDetails"];
                self.complaints
                    .push(details["exception"]["description"].to_string());
            }
            Some("Runtime.consoleAPICalled") => self.complaints.push(told["args"].to_string()),
            Some("Log.entryAdded") => self.complaints.push(told["entry"]["text"].to_string()),
            Some("Network.requestWillBeSent") => {
                self.requests.push(
                    told["request"]["url"]
                        .as_str()
                        .unwrap_or_default()
                        .to_owned(),
                );
            }
            _ => {}
        }
    }

    /// The value of an expression of JavaScript in the page.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let asked =
            json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let answer = self.call("Runtime.evaluate", asked);
        assert!(
            answer["exceptionDetails"].is_null(),
            "{expression}: {}",
            answer["exceptionDetails"]
        );
        answer["result"]["value"].clone()
    }

    /// Waits until an expression is true.
    pub fn wait(&mut self, expression: &str) {
        let since = Instant::now();
        while self.evaluate(expression) != Value::Bool(true) {
            assert!(since.elapsed() < PATIENCE, "never true: {expression}");
            sleep(Duration::from_millis(10));
        }
    }

    /// Opens the page anew with a fragment, and waits for the motion.
    pub fn open(&mut self, page: &Path, fragment: &str) {
        self.call("Page.navigate", json!({ "url": "about:blank" }));
        let url = format!("file://{}#{fragment}", page.display());
        self.call("Page.navigate", json!({ "url": url }));
        self.wait("typeof app === 'object' && app.engine !== null && 'shown' in document.documentElement.dataset");
    }

    /// Gives the page another size, as on a phone.
    pub fn resize(&mut self, [width, height]: [u32; 2]) {
        let size =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", size);
    }

    /// Presses a key that writes something.
    pub fn press(&mut self, text: &str) {
        let key =
            |kind: &str| json!({ "type": kind, "text": text, "key": text, "unmodifiedText": text });
        self.call("Input.dispatchKeyEvent", key("keyDown"));
        self.call(
            "Input.dispatchKeyEvent",
            json!({ "type": "keyUp", "key": text }),
        );
    }

    /// Presses a key that has a name.
    pub fn press_named(&mut self, name: &str, code: u32) {
        for kind in ["keyDown", "keyUp"] {
            let key =
                json!({ "type": kind, "key": name, "code": name, "windowsVirtualKeyCode": code });
            self.call("Input.dispatchKeyEvent", key);
        }
    }

    /// Drags from one place of the window to another.
    pub fn drag(&mut self, [x, y]: [f64; 2], [to_x, to_y]: [f64; 2]) {
        let event = |kind: &str, x: f64, y: f64| json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1 });
        self.call("Input.dispatchMouseEvent", event("mousePressed", x, y));
        for part in 1..=8 {
            let part = f64::from(part) / 8.0;
            let moved = event("mouseMoved", x + part * (to_x - x), y + part * (to_y - y));
            self.call("Input.dispatchMouseEvent", moved);
        }
        self.call(
            "Input.dispatchMouseEvent",
            event("mouseReleased", to_x, to_y),
        );
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        _ = self.process.kill();
        _ = self.process.wait();
        _ = fs::remove_dir_all(&self.profile);
    }
}

/// Port and path that the browser listens at.
fn address(profile: &Path) -> [String; 2] {
    let since = Instant::now();
    loop {
        let told = fs::read_to_string(profile.join("DevToolsActivePort")).unwrap_or_default();
        if let Some((port, path)) = told.split_once('\n')
            && !path.is_empty()
        {
            return [port, path.trim()].map(str::to_owned);
        }
        assert!(since.elapsed() < PATIENCE, "the browser does not start");
        sleep(Duration::from_millis(20));
    }
}
